/* The calls of a network: what makes up its time, by call, operator, category or module. */

const BY_CALL = "call";
const LISTED = 20; // rows of a bar, and of a table before one turns to the next

/** The calls of a network as objects, the dearest first, those without a time last. */
function readCalls({ texts, numbers }) {
  const calls = numbers.count.map((_, index) => ({ index }));
  for (const [name, [words, codes]] of Object.entries(texts))
    codes.forEach((code, at) => { calls[at][name] = code === null ? null : words[code]; });
  for (const [name, values] of Object.entries(numbers))
    values.forEach((value, at) => { calls[at][name] = value; });
  return calls;
}

const readGroups = (rows) => rows.map(([key, count, distinct, total, share, cumulative, doubtful], index) =>
  ({ index, key, count, distinct, total, share, cumulative, doubtful }));

const counted = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
const hasTime = (call) => call.share !== null;
const callText = (call) => [call.operator, call.arguments, call.module, call.phase, call.status, call.category, call.warnings]
  .filter(Boolean).join(" ").toLowerCase();

function networkView(network, at) {
  const calls = readCalls(network.calls);
  const groups = Object.fromEntries(Object.entries(network.groups).map(([name, rows]) => [name, readGroups(rows)]));
  const searchedCalls = calls.map(callText);
  const listOf = (by, typed) => (by === BY_CALL ? filtered(calls, searchedCalls, typed)
    : filtered(groups[by], groups[by].map((group) => group.key.toLowerCase()), typed));
  return {
    id: `network-${at}`, title: `Network: ${network.title}`,
    lead: "What each call costs: the time of one, measured alone, times how often a step makes it. Shares are "
      + "those of the sum of all calls that have a time, whatever the filter leaves.",
    absent: () => null,
    build(body) {
      const by = choice("Show", () => { pages.first(); refresh(); });
      by.offer([[BY_CALL, "call by call"], ...Object.keys(groups).map((name) => [name, `by ${name}`])]);
      const bar = chart(), roofline = chart();
      const pages = pager(LISTED, "rows", () => refresh(null, true));
      const listed = networkTable(() => { pages.first(); refresh(null, true); });
      body.append(tilesOf(network.tiles), linesOf(network.lines), controls(by),
        element("h3", {}, "What makes up the time"), bar.node,
        element("h3", {}, "Roofline, by weight"), roofline.node,
        element("h3", {}, "All of it"), controls(pages), listed.node);
      let typed = null;
      /** Show the rows of the page; `drawn` says that the charts show them already. */
      function refresh(_, drawn = false) {
        const now = document.getElementById("filter").value;
        if (now !== typed) pages.first();
        typed = now;
        const rows = listOf(by.value(), typed);
        const what = by.value() === BY_CALL ? "call by call" : `by ${by.value()}`;
        if (!drawn) {
          drawBar(bar, network, rows, what);
          drawNetworkRoofline(roofline, network, listOf(BY_CALL, typed));
        }
        listed.fill(pages.slice(listed.sorted(rows, by.value())), by.value(), `${network.title}, ${what}`);
      }
      return refresh;
    },
  };
}

const tilesOf = (tiles) => element("dl", { class: "tiles" }, ...tiles.map(({ label, value, level }) =>
  element("div", { class: level }, element("dt", {}, label), element("dd", {}, value))));

const linesOf = (lines) => element("ul", { class: "said" }, ...lines.map((line) => element("li", {}, line)));

/** The colors of phases; what is made in both, or whose phase nobody knows, has the third one. */
const PHASES = { forward: "series-1", backward: "series-2", "both, or not known": "series-5" };
const phaseOf = (call) => (call.phase in PHASES ? call.phase : "both, or not known");

VIEWS.splice(report.verdicts ? VIEWS.indexOf(forestView) + 1 : 0, 0, ...report.networks.map(networkView));
if (report.networks.length) VIEWS.splice(VIEWS.indexOf(rooflineView), 1); // each network has its own
