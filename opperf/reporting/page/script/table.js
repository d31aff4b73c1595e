/* The raw table: every result, filtered, sorted and to take away. */

const PAGE = 25;

const rawColumns = [
  { title: "operator", key: "label" },
  { title: "inputs", key: "inputs" },
  { title: "framework", key: "framework" },
  { title: "direction", key: "direction" },
  { title: "size", key: "size" },
  { title: "status", key: "status", write: words },
  { title: "reliable", key: "reliable", write: (value) => (value ? "yes" : "no") },
  { title: "time", key: "seconds", write: seconds },
  { title: "\u00b1", key: "precision", write: percent },
  { title: "n", key: "n", write: String },
  { title: "FLOP/s", key: "flop_rate", write: (value) => amount(value, "") },
  { title: "B/s", key: "byte_rate", write: (value) => amount(value, "") },
  { title: "of roof", key: "peak_fraction", write: roofShare },
  { title: "outputs", key: "output_bytes", write: bytes },
  ...report.results?.metrics?.map(({ title, key, unit }) => ({ title, key, write: (value) => inUnit(value, unit) })) ?? [],
  { title: "warnings", key: "warnings", write: noted },
].map((column) => ({ ...column, number: Boolean(column.write) && !["status", "reliable", "warnings"].includes(column.key) }));

const rawView = {
  id: "table", title: "Every result",
  lead: "Medians of all samples. A dash is a figure that was not measured. Sort by a column's "
    + "heading; what the filter leaves can be taken away, with numbers to five digits.",
  absent: () => ofRun() || (results.length ? null : "there are no results"),
  build(body) {
    let rows = results, sorting = null, rising = true;
    const pages = pager(PAGE, "results", () => refresh());
    const save = (form, make) => ({ node: element("button", { type: "button", onclick: () => download(form, make(sorted())) }, `Download ${form.toUpperCase()}`) });
    const heads = rawColumns.map((column) => element("th", { scope: "col", class: column.number ? "number" : "" },
      element("button", { type: "button", onclick: () => sortBy(column) }, column.title)));
    const lines = element("tbody");
    body.append(controls(pages, save("csv", asCsv), save("json", asJson)),
      element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Results" },
        element("table", { id: "raw" }, element("caption", {}, "Results"), element("thead", {}, element("tr", {}, ...heads)), lines)));

    function sortBy(column) {
      rising = sorting === column ? !rising : !column.number;
      sorting = column;
      heads.forEach((head, at) => {
        if (rawColumns[at] === column) head.setAttribute("aria-sort", rising ? "ascending" : "descending");
        else head.removeAttribute("aria-sort");
      });
      pages.first();
      refresh();
    }
    const sorted = () => (sorting ? [...rows].sort((a, b) => compare(a[sorting.key], b[sorting.key], rising)) : rows);
    function refresh(next = rows) {
      if (next !== rows) pages.first();
      rows = next;
      lines.replaceChildren(...pages.slice(sorted()).map((row) => tableRow(written, row)));
    }
    return refresh;
  },
};

/** The pages of operators by their names, on a site that has them. */
const operatorPages = new Map(report.pages?.map((address, at) => [report.results.texts.operator[0][at], address]) ?? []);

const written = rawColumns.map(({ key, write, number }) => ({
  link: key === "label" ? (row) => operatorPages.get(row.operator) : undefined,
  number, cell: (row) => (row[key] === null ? MISSING : write ? write(row[key]) : row[key]),
}));

/** What is missing comes last, whichever way the rest is sorted. */
function compare(a, b, rising) {
  if (a === null || b === null) return (a === null) - (b === null);
  const order = typeof a === "number" ? a - b : a.localeCompare(b);
  return rising ? order : -order;
}

const taken = Object.keys(results[0] || {}).filter((name) => !["index", "samples", "label"].includes(name));
const plain = (row) => Object.fromEntries(taken.map((name) => [name, row[name]]));
const asJson = (rows) => JSON.stringify(rows.map(plain), null, 1);

/** A cell that begins like a formula is disarmed, as in opperf's own CSV. */
function csvCell(value) {
  if (value === null) return "";
  const text = String(value);
  const safe = typeof value === "string" && /^[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
const asCsv = (rows) => [taken, ...rows.map((row) => taken.map((name) => row[name]))].map((cells) => cells.map(csvCell).join(",")).join("\n");

function download(form, text) {
  const address = URL.createObjectURL(new Blob([text], { type: form === "csv" ? "text/csv" : "application/json" }));
  element("a", { href: address, download: `opperf-results.${form}` }).click();
  URL.revokeObjectURL(address);
}
