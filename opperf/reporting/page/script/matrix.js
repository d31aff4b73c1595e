/* Several arms: a line an operator, the reference's time, and a cell an arm. */

const arms = report.arms || [];
const LEVEL_OF_VERDICT = {
  newly_fails: "bad", wrong_result: "bad", slower: "bad", worse: "bad", fails: "bad",
  faster: "good", better: "good", newly_works: "good",
};

/** The rows of one job by their arm, in the order in which jobs appear. */
const matrixRows = [...grouped(verdicts.filter((row) => !row.control && row.arm), (row) => row.job)]
  .map(([, rows]) => ({ rows, first: rows[0], byArm: new Map(rows.map((row) => [row.arm, row])) }));

const isQuiet = ({ rows }) => rows.every((row) => row.verdict === "equivalent");
const referenceText = ({ rows }) => {
  const side = (row) => (row.metric ? row.a_value : row.a_seconds);
  const found = rows.filter((row) => side(row) !== null);
  if (!found.length) return MISSING;
  const middle = median(found.map(side));
  return found[0].metric ? inUnit(middle, found[0].unit) : seconds(middle);
};

const matrixView = {
  id: "matrix", title: "Operators by arms",
  lead: `The ${comparedName} of the reference, and of each other arm the ratio to it with its verdict. `
    + "Every cell is a comparison of its own: of many, some are wrong by chance. The filter keeps a "
    + "line of which any arm has the words.",
  absent: () => (matrixRows.length ? null : "no arm has a verdict"),
  build(body) {
    const [reference, ...others] = arms;
    const which = choice("Lines", () => { pages.first(); refresh(); });
    which.offer([["changed", "not equivalent in some arm"], ["all", "all"]]);
    const arm = choice("Worst first in", () => { pages.first(); refresh(); });
    arm.offer([["any", "any arm"], ...others]);
    const pages = pager(PAGE, "lines", () => refresh());
    const place = element("div");
    body.append(controls(which, arm, pages), place);
    let rows = verdicts;

    const rankOf = (row) => (row ? verdicts.indexOf(row) : verdicts.length);
    function chosen() {
      const kept = new Set(rows);
      const loud = matrixRows.filter((line) => !isQuiet(line));
      const from = which.value() === "all" || !loud.length ? matrixRows : loud;
      const found = from.filter((line) => line.rows.some((row) => kept.has(row)));
      return arm.value() === "any" ? found
        : found.sort((a, b) => rankOf(a.byArm.get(arm.value())) - rankOf(b.byArm.get(arm.value())));
    }
    function refresh(next = rows) {
      if (next !== rows) pages.first();
      rows = next;
      const lines = pages.slice(chosen()).map((line) => matrixLine(line, others));
      const heads = ["operator", "direction", reference, ...others].map((title, at) =>
        element("th", { scope: "col", class: at === 2 ? "number" : "" }, title));
      place.replaceChildren(element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Ratios by operator and arm" },
        element("table", { class: "matrix" }, element("caption", {}, lines.length ? "Ratio to the reference, and verdict" : "No line is left."),
          element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...lines))));
    }
    return refresh;
  },
};

function matrixLine(line, others) {
  const { operator, inputs, size, direction, framework } = line.first;
  return element("tr", {},
    element("th", { scope: "row" }, short(operator, LONGEST_CELL),
      element("span", { class: "note" }, short(`${framework} ${inputs || size || ""}`, LONG))),
    element("td", {}, direction),
    element("td", { class: "number" }, referenceText(line)),
    ...others.map((name) => matrixCell(line.byArm.get(name))));
}

function matrixCell(row) {
  if (!row) return element("td", {}, MISSING);
  const ratio = row.ratio ? exact(row.ratio) : "";
  const tip = `${exactRange(row.interval)}; sessions ${row.sessions ?? MISSING}${row.reason ? `; ${row.reason}` : ""}`;
  return element("td", { class: LEVEL_OF_VERDICT[row.verdict] || "", title: short(tip, LONGEST_CELL) },
    element("span", { class: "ratio" }, ratio), element("span", { class: "verdict" }, kindOfVerdict(row)));
}

VIEWS.splice(0, 0, matrixView);
