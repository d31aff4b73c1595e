/* Where it was measured, and in what the columns differ. */

const environmentView = {
  id: "environment", title: "Environment",
  lead: "Facts that the measuring processes found. Those in which the columns differ are set in bold.",
  absent: () => (report.environment ? null : "no facts of the machine are in the results"),
  build(body) {
    const { columns, rows, first } = report.environment;
    const differs = (row) => new Set(row.slice(1)).size > 1;
    const shown = [
      { title: "fact", cell: (row) => row[0] },
      ...columns.map((title, at) => ({ title, cell: (row) => row[at + 1], differs })),
    ];
    const top = [...rows.slice(0, first), ...rows.slice(first).filter(differs)];
    const rest = rows.slice(first).filter((row) => !differs(row));
    body.append(table("The machine and the versions", shown, top));
    if (rest.length) body.append(foldedTable(`${rest.length} more facts`, () => table("More facts", shown, rest)).node);
    return () => {};
  },
};
