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
      place.replaceChildren(...pages.slice(found).map(failureEntry));
    }
    return refresh;
  },
};

function failureEntry({ row, signal, reason, log, command }) {
  const title = `${row.label} ${row.direction} ${row.inputs}`;
  return element("article", { class: "failure" },
    element("h3", {}, `${[row.framework, words(row.status), signal].filter(Boolean).join(" ")}: ${short(title, LONGEST_CELL)}`),
    element("p", {}, short(reason || "No reason is recorded.", LONGEST_CELL)),
    log ? element("pre", {}, log) : null,
    element("pre", {}, element("code", {}, command)));
}
