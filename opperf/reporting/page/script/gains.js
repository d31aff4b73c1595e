/* What fusing gains: the table of the terminal, with the parts that were measured for its sake. */

const gainsView = {
  id: "gains", title: "What fusing gains",
  lead: "A fused operator beside its parts in a row, and beside each of them measured alone. A mark "
    + "stands before a time that is not to be relied on. The filter leaves this table as it is.",
  absent: () => ofRun() || (report.gains ? null : "no fused operator was measured beside its parts"),
  build(body) {
    const { headers, numbers, rows, notes } = report.gains;
    const columns = headers.map((title, at) => ({ title, number: numbers[at], cell: (row) => row[at] }));
    body.append(table("What fusing gains", columns, rows), ...notes.map((note) => element("p", { class: "note" }, note)));
    return () => {};
  },
};
