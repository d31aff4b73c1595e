/* What was asked for and what came of it, by category. */

const STATUS_LOOKS = {
  ok: ["sound", null], noisy: ["noise", "triangle"], "not measured": ["hatch", "line"], failed: ["bad", "rect"],
};
const NOT_MEASURED = ["no_time", "unsupported", "skipped"];
const outcomeOf = (row) => (TIMED.includes(row.status) ? row.status : NOT_MEASURED.includes(row.status) ? "not measured" : "failed");

const coverageView = {
  id: "coverage", title: "Coverage",
  lead: "Rows asked for by category and framework: with a sound time, a noisy one, without one "
    + "(unsupported or skipped), or failed.",
  absent: () => ofRun() || (results.length ? null : "there are no results"),
  build(body) {
    const picture = chart();
    const folded = foldedTable("The same as a table", () => table("Rows by category and outcome", coverageColumns(), groups()));
    body.append(picture.node, folded.node);
    let rows = results;
    const groups = () => [...grouped(rows, (row) => `${row.category} ${row.framework}`).values()];
    function refresh(next) {
      rows = next;
      const bars = groups();
      picture.draw(bars.length ? coverageOption(bars) : null, {
        height: 120 + 24 * bars.length,
        label: `Outcomes of ${rows.length} rows by category and framework; the table below has the numbers.`,
        note: bars.length ? "" : "Nothing is left by the filter.",
      });
      folded.refresh();
    }
    return refresh;
  },
};

const countOf = (rows, outcome) => rows.filter((row) => outcomeOf(row) === outcome).length;

function coverageOption(bars) {
  return {
    tooltip: tip(({ seriesName, value, name }) => `${name}\n${value} ${seriesName}`),
    legend: legend(),
    xAxis: axis("value", "rows (number)", (value) => value, { minInterval: 1 }),
    yAxis: axis("category", "", (value) => short(value, 40), {
      data: bars.map(([row]) => `${row.category} ${row.framework}`), inverse: true, axisLabel: rowNames(),
    }),
    series: Object.entries(STATUS_LOOKS).map(([name, [tint, symbol]]) => ({
      name, type: "bar", stack: "all", barMaxWidth: 18,
      data: bars.map((rows) => countOf(rows, name) || null),
      itemStyle: {
        color: color(tint),
        decal: symbol === "line" ? { dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: Math.PI / 4, color: color("panel") }
          : symbol ? { symbol, symbolSize: 0.5, color: color("panel") } : { symbol: "none" },
      },
    })),
  };
}

const coverageColumns = () => [
  { title: "category", cell: ([row]) => row.category },
  { title: "framework", cell: ([row]) => row.framework },
  { title: "operators", number: true, cell: (rows) => distinct(rows.map((row) => row.operator)).length },
  ...Object.keys(STATUS_LOOKS).map((name) => ({ title: name, number: true, cell: (rows) => countOf(rows, name) })),
];
