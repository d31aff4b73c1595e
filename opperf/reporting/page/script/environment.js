/* Where it was measured: what holds for all columns as a card, and what differs as a table. */

const environmentView = {
  id: "environment", title: "Environment",
  lead: "Facts that the measuring processes found: first those that are the same everywhere.",
  absent: () => (report.environment ? null : "no facts of the machine are in what was given"),
  build(body) {
    const { columns, rows, first } = report.environment;
    const differs = (row) => new Set(row.slice(1)).size > 1;
    const shown = [
      { title: "fact", cell: (row) => row[0] },
      ...columns.map((title, at) => ({ title, cell: (row) => row[at + 1] })),
    ];
    const same = rows.slice(0, first).filter((row) => !differs(row));
    const different = rows.filter((row) => differs(row) && (report.verdicts || !row.includes(null)));
    const rest = rows.filter((row) => !same.includes(row) && !different.includes(row));
    body.append(element("dl", { class: "facts" }, ...same.map(([fact, value]) =>
      element("div", {}, element("dt", {}, fact), element("dd", {}, value)))));
    if (different.length) body.append(table(`What differs between ${columns.join(" and ")}`, shown, different));
    if (rest.length) body.append(foldedTable(`${rest.length} more facts`, () => table("More facts", shown, rest)).node);
    return () => {};
  },
};
