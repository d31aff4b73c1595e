/* What went wrong, with the command that shows it again. */

const failuresView = {
  id: "failures", title: "Failures",
  lead: "Each with the command that measures it again, to be pasted into a shell.",
  absent: () => ((report.failures || []).length ? null : "nothing failed"),
  build(body) {
    const pages = pager(50, "failures", () => refresh());
    const place = element("div");
    body.append(controls(pages), place);
    let rows = results;
    function refresh(next = rows) {
      rows = next;
      const kept = new Set(rows);
      const found = report.failures.map((failure) => ({ ...failure, row: results[failure.row] })).filter((failure) => kept.has(failure.row));
      place.replaceChildren(table("Failures", failureColumns, pages.slice(found)));
    }
    return refresh;
  },
};

const failureColumns = [
  { title: "operator", cell: ({ row }) => row.label },
  { title: "inputs", cell: ({ row }) => row.given },
  { title: "framework", cell: ({ row }) => row.framework },
  { title: "direction", cell: ({ row }) => row.direction },
  { title: "status", cell: ({ row, signal }) => `${words(row.status)} ${signal}` },
  { title: "reason", cell: ({ reason, log }) => [reason, log].filter(Boolean).join("\n") },
  { title: "command", code: true, cell: ({ command }) => command },
];
