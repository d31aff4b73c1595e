/* The verdicts on A against B: ratios, intervals and the band of the least effect of interest. */

const verdicts = report.verdicts || [];

/* What is compared: the time, unless the rows are of another metric. */
const compared = verdicts.find((row) => row.metric);
/* The names of the two sides of a row: those of its arms, where they have any. */
const sideNames = (row) => (row.arm ? [row.arm, row.reference] : ["B", "A"]);
const [ofB, ofA] = report.arms ? ["an arm", `${report.arms[0]}`] : ["B", "A"];
const comparedName = compared ? words(compared.metric) : "time";
const sideText = (row, side) => (row.metric ? inUnit(row[`${side}_value`], row.unit) : seconds(row[`${side}_seconds`]));

const VERDICTS = {
  newly_fails: ["bad", "pin"], wrong_result: ["bad", "pin"], slower: ["series-2", "triangle"],
  fails: ["bad", "pin"], noisy: ["muted", "circle"], undecided: ["muted", "rect"],
  different: ["series-4", "diamond"], newly_works: ["series-3", "pin"],
  faster: ["series-1", "triangle", 180], equivalent: ["series-3", "circle"],
  worse: ["series-2", "triangle"], better: ["series-1", "triangle", 180], no_value: ["muted", "rect"],
};

const forestView = {
  id: "forest", title: report.arms ? `Each arm against ${ofA}` : "B against A",
  lead: `${compared ? `${comparedName} of ${ofB} over that of ${ofA}` : `Time of ${ofB} over time of ${ofA}`} with its interval; `
    + `right of 1, ${ofB} ${compared ? "has more" : "takes longer"}. The band is the `
    + "least effect of interest. Hollow: not confirmed. Worst first.",
  absent: () => (report.verdicts ? null : "of two runs (opperf report A B) or of opperf ab"),
  build(body) {
    for (const note of report.notes) body.append(element("p", { class: "note" }, note));
    const picture = chart();
    const verdict = choice("Verdict", () => { pages.first(); refresh(); });
    const pages = pager(40, "rows", () => refresh());
    let rows = verdicts;
    const without = element("p", { class: "note" });
    const folded = foldedTable("All rows as a table", () => table("Verdicts", verdictColumns, chosen()));
    body.append(controls(verdict, pages), picture.node, without, folded.node);

    const chosen = () => rows.filter((row) => !row.control && ["all", row.verdict].includes(verdict.value()));
    function refresh(next = rows) {
      rows = next;
      verdict.offer([["all", "all verdicts"], ...distinct(verdicts.map((row) => row.verdict)).map((name) => [name, words(name)])]);
      const timed = chosen().filter((row) => row.ratio);
      const items = pages.slice(timed).map(verdictItem);
      picture.draw(items.length ? intervalChart(items, forestAxis(items, `${comparedName} of ${ofB} / ${comparedName} of ${ofA} (no unit, logarithmic)`)) : null, {
        height: intervalHeight(items),
        label: `Forest plot of ${items.length} ratios of ${ofB} to ${ofA}; the table below has the numbers.`,
        note: items.length ? "" : "No row with a ratio is left.",
      });
      const missing = chosen().length - timed.length;
      without.textContent = missing ? `${missing} ${missing === 1 ? "row has" : "rows have"} no ratio, because one side has ${compared ? "no value, or 0" : "no time"}; the table has them.` : "";
      folded.refresh();
    }
    return refresh;
  },
};

const exactRange = (ends) => (!ends ? MISSING : usable(ends) ? `[${ends.map(exact).join(", ")}]` : ABSURD);

function verdictItem(row) {
  return {
    ratio: row.ratio, interval: usable(row.interval), kind: kindOfVerdict(row),
    label: `${row.arm ? `${row.arm}: ` : ""}${short(row.operator, 30)} ${row.framework} ${row.direction} ${row.inputs || row.size || ""}`,
    tip: [
      `${row.operator} ${row.framework} ${row.direction} ${row.inputs || ""}`,
      `${sideNames(row)[1]} ${sideText(row, "a")}, ${sideNames(row)[0]} ${sideText(row, "b")}`,
      `ratio ${exact(row.ratio)} ${exactRange(row.interval)}: ${kindOfVerdict(row)}`,
      `sessions ${row.sessions ?? MISSING}, pairs ${row.pairs ?? MISSING}`,
    ].map((line) => short(line, 100)).join("\n"),
  };
}

const isHollow = (row) => row.confirmed !== true && ["slower", "worse"].includes(row.verdict);
const kindOfVerdict = (row) => `${words(row.verdict)}${isHollow(row) ? " (not confirmed)" : ""}`;

function forestAxis(items, name) {
  const kinds = distinct(items.map((item) => item.kind)).map((kind) => {
    const [tint, symbol, turned = 0] = VERDICTS[kind.replace(" (not confirmed)", "").replaceAll(" ", "_")];
    return { name: kind, color: color(tint), symbol, turned, fill: color(kind.endsWith("(not confirmed)") ? "panel" : tint) };
  });
  return { name, band: report.band, kinds };
}

const verdictColumns = [
  { title: "operator", cell: (row) => row.operator },
  { title: "framework", cell: (row) => row.framework },
  { title: "direction", cell: (row) => row.direction },
  { title: "inputs", cell: (row) => row.inputs || row.size },
  { title: "verdict", cell: kindOfVerdict },
  ...(report.arms ? [{ title: "arm", cell: (row) => row.arm || "" }] : []),
  { title: ofA, number: true, cell: (row) => sideText(row, "a") },
  { title: ofB, number: true, cell: (row) => sideText(row, "b") },
  { title: report.arms ? "ratio" : "B / A", number: true, cell: (row) => exact(row.ratio) },
  { title: "interval", number: true, cell: (row) => (row.exact ? "exact" : exactRange(row.interval)) },
  { title: "sessions", number: true, cell: (row) => row.sessions },
  { title: "reason", cell: (row) => row.reason || "" },
];
