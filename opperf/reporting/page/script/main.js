/** What the filter chooses among. */
const subjects = report.verdicts || report.histories || results;
const texts = subjects.map(searched);
let chosen = subjects;
let typing = false; // from a key until charts follow: meanwhile only the raw table does

/** A view's section, and whether what it shows is of the rows now chosen. */
function makeSection(view) {
  const node = element("section", { id: view.id, "aria-labelledby": `${view.id}-title` },
    element("h2", { id: `${view.id}-title` }, view.title), element("p", { class: "lead" }, view.lead));
  const refresh = view.build(node);
  const section = { node, near: false, stale: true, follow };
  function follow() {
    if (!section.stale) return;
    section.stale = false;
    refresh(chosen);
  }
  return section;
}

function head() {
  const tiles = report.tiles.map(({ label, value, level }) =>
    element("div", { class: level }, element("dt", {}, label), element("dd", {}, value)));
  return element("section", { id: "summary", "aria-labelledby": "title" },
    element("h1", { id: "title" }, report.heading),
    element("p", { class: `banner ${report.banner.level}` }, report.banner.text),
    report.origin ? element("p", { class: "note" }, element("code", {}, report.origin)) : null,
    element("p", { class: "note" }, `${report.began ? `Began ${day(report.began)} UTC. ` : ""}Written by opperf ${report.opperf}.`),
    element("dl", { class: "tiles" }, ...tiles));
}

/** What is not there, and why: a line a reason. */
function leftOut(views) {
  const lines = [...grouped(views, (view) => view.absent())].map(([reason, found]) =>
    `${found.map((view) => view.title).join(", ")}: ${reason}.`);
  return element("section", { id: "absent", "aria-labelledby": "absent-title" },
    element("h2", { id: "absent-title" }, "Not on this page"),
    element("ul", {}, ...lines.map((line) => element("li", {}, line))));
}

function start() {
  const absent = VIEWS.filter((view) => view.absent());
  const shown = VIEWS.filter((view) => !absent.includes(view));
  const sections = shown.map(makeSection);
  const content = document.getElementById("content");
  content.prepend(head(), ...sections.map(({ node }) => node), ...(absent.length && !report.tables ? [leftOut(absent)] : []));
  document.getElementById("contents").append(...shown.map((view) => element("a", { href: `#${view.id}` }, view.title)));
  startTheme();
  startFilter(sections);
  onTheme(() => { markStale(sections); drawNear(sections); whenIdle(sections); });
  watch(sections);
  whenIdle(sections);
  addEventListener("beforeprint", () => sections.forEach(({ follow }) => follow()));
}

const markStale = (sections) => sections.forEach((section) => { section.stale = true; });
const drawNear = (sections) => sections.forEach((section) => section.near && section.follow());

function watch(sections) {
  const byNode = new Map(sections.map((section) => [section.node, section]));
  const observer = new IntersectionObserver((entries) => entries.forEach((entry) => {
    const section = byNode.get(entry.target);
    section.near = entry.isIntersecting;
    if (section.near && !typing) section.follow();
  }), { rootMargin: "100px" });
  sections.forEach(({ node }) => observer.observe(node));
}

/** Draw the rest one after the other, so that the page answers in between. */
function whenIdle(sections) {
  requestIdleCallback(() => {
    if (typing) return;
    const next = sections.find(({ stale }) => stale);
    if (next) next.follow();
    if (sections.some(({ stale }) => stale)) whenIdle(sections);
    else document.documentElement.dataset.drawn = "all";
  }, { timeout: 2000 });
}

function startFilter(sections) {
  const input = document.getElementById("filter"), found = document.getElementById("found");
  const what = report.verdicts ? "rows" : report.histories ? "series" : "results";
  const count = () => { found.textContent = `${chosen.length} of ${subjects.length} ${what}`; };
  const raw = sections.find(({ node }) => node.id === "table");
  let waiting = 0;
  count();
  input.addEventListener("input", () => {
    chosen = filtered(subjects, texts, input.value);
    count();
    markStale(sections);
    typing = true;
    delete document.documentElement.dataset.drawn;
    if (raw && raw.near) raw.follow();
    clearTimeout(waiting);
    waiting = setTimeout(() => { typing = false; drawNear(sections); whenIdle(sections); }, SETTLED);
  });
}

start();
