/* A network's calls, or groups of them, as a table that is sorted by its headings. */

const timeText = (call) => `${call.reliable ? "" : "! "}${seconds(call.seconds)} ${spread(call.precision)}`;
const endsText = (call) => (call.low === null || call.high === null ? MISSING : `${seconds(call.low)} to ${seconds(call.high)}`);
const shareText = (value) => percent(value);

const callColumns = [
  { title: "rank", key: "index", write: (at) => at + 1 },
  { title: "operator", key: "operator" },
  { title: "arguments", key: "arguments" },
  { title: "count", key: "count", write: String },
  { title: "time each", key: "seconds", write: (value, call) => `${call.reliable ? "" : "! "}${seconds(value)}` },
  { title: "95 % interval", key: "low", write: (_, call) => endsText(call) },
  { title: "in the network", key: "total", write: seconds },
  { title: "share", key: "share", write: shareText },
  { title: "cumulative", key: "cumulative", write: shareText },
  { title: "phase", key: "phase" },
  { title: "of roof", key: "peak_fraction", write: roofShare },
  { title: "bound by", key: "bound" },
  { title: "status", key: "status", text: (call) => [words(call.status), call.warnings && call.warnings].filter(Boolean).join(": ") },
  { title: "reason", key: "reason" },
  { title: "module", key: "module" },
];

const groupColumns = (by) => [
  { title: by, key: "key", text: (group) => group.key || "(the network itself)" },
  { title: "calls", key: "count", write: String },
  { title: "distinct", key: "distinct", write: String },
  { title: "in the network", key: "total", write: seconds },
  { title: "share", key: "share", write: shareText },
  { title: "cumulative", key: "cumulative", write: shareText },
  { title: "of it not to be relied on", key: "doubtful", write: (value) => percent(value, 0) },
];

/** Return {node, sorted(rows, by), fill(rows, by, caption)}; `onsort` is called when a heading is pressed. */
function networkTable(onsort) {
  const caption = element("caption"), heads = element("tr"), lines = element("tbody");
  const region = element("div", { class: "wide", tabindex: "0", role: "region" },
    element("table", { class: "calls" }, caption, element("thead", {}, heads), lines));
  let sorting = null, rising = true, headed = null;
  const columnsOf = (by) => (by === BY_CALL ? callColumns : groupColumns(by));

  function head(by) {
    if (headed === by) return;
    if (headed !== null) sorting = null;
    headed = by;
    heads.replaceChildren(...columnsOf(by).map((column) => element("th", { scope: "col", class: column.write ? "number" : "" },
      element("button", { type: "button", onclick: () => sortBy(column, by) }, column.title))));
  }
  function sortBy(column, by) {
    rising = sorting === column.key ? !rising : !column.write || column.key === "index";
    sorting = column.key;
    [...heads.children].forEach((cell, at) => {
      if (columnsOf(by)[at].key === sorting) cell.setAttribute("aria-sort", rising ? "ascending" : "descending");
      else cell.removeAttribute("aria-sort");
    });
    onsort();
  }
  function sorted(rows, by) {
    head(by);
    return sorting ? [...rows].sort((a, b) => compare(a[sorting], b[sorting], rising)) : rows;
  }
  function fill(rows, by, title) {
    caption.textContent = title;
    region.setAttribute("aria-label", title);
    const written = columnsOf(by).map(({ key, write, text }) => ({
      number: Boolean(write),
      cell: (row) => (text ? text(row) : row[key] === null ? MISSING : write ? write(row[key], row) : row[key]),
    }));
    lines.replaceChildren(...rows.map((row) => tableRow(written, row)));
  }
  return { node: region, sorted, fill };
}
