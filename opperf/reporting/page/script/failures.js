/* What went wrong, with the command that shows it again. */

const failuresView = {
  id: "failures", title: "Failures",
  lead: "What gave no time or a wrong result, and why; with the command that measures it again, where "
    + "it is known, to be pasted into a shell.",
  absent() {
    if (report.histories) return ofRun();
    return report.failures.length ? null : report.verdicts ? "no verdict tells of one" : "nothing failed";
  },
  build(body) {
    const pages = pager(50, "failures", () => refresh());
    const place = element("div");
    body.append(controls(pages), place);
    const found = report.failures.map((failure) => ({ ...failure, row: subjects[failure.row] }));
    let rows = subjects;
    function refresh(next = rows) {
      rows = next;
      const kept = new Set(rows);
      place.replaceChildren(...pages.slice(found.filter((failure) => kept.has(failure.row))).map(failureEntry));
    }
    return refresh;
  },
};

/** A result that failed, or a verdict that tells of it. */
function failureEntry({ row, signal, reason, log, command }) {
  const title = `${row.arm ? `${row.arm}: ` : ""}${row.label || row.operator} ${row.direction} ${row.inputs || row.size || ""}`;
  return element("article", { class: "failure" },
    element("h3", {}, `${[row.framework, words(row.status || row.verdict), signal].filter(Boolean).join(" ")}: ${short(title, LONGEST_CELL)}`),
    element("p", {}, short(reason || row.reason || "No reason is recorded.", LONGEST_CELL)),
    log ? element("pre", {}, log) : null,
    command ? element("pre", {}, element("code", {}, command)) : null);
}
