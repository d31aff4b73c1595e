/* The tables of a list page, which stand in it as HTML: filtered by words, sorted by a heading. */

const tables = [...document.querySelectorAll("table.list")].map((node) => ({
  node, body: node.tBodies[0], rows: [...node.tBodies[0].rows], heads: [...node.tHead.rows[0].cells],
}));
const lines = tables.flatMap(({ rows }) => rows).map((row) => ({ row, text: row.textContent.toLowerCase() }));

/** What a cell is sorted by: its number where it has one, else its text. */
function valueOf(row, place) {
  const cell = row.cells[place];
  const number = cell.dataset.value;
  return number === undefined ? cell.textContent.trim() : number === "" ? null : Number(number);
}

/** What is missing comes last, whichever way the rest is sorted. */
function compareCells(one, other, rising) {
  if (one === null || other === null) return (one === null) - (other === null);
  const order = typeof one === "number" && typeof other === "number"
    ? one - other : String(one).localeCompare(String(other));
  return rising ? order : -order;
}

function sortTable(table, place) {
  const head = table.heads[place];
  const rising = head.getAttribute("aria-sort") !== "ascending";
  table.heads.forEach((one) => one.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", rising ? "ascending" : "descending");
  const keyed = table.rows.map((row) => ({ row, value: valueOf(row, place) }));
  keyed.sort((a, b) => compareCells(a.value, b.value, rising));
  table.rows = keyed.map(({ row }) => row);
  table.body.append(...table.rows);
}

for (const table of tables)
  table.heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sortTable(table, place));
    head.replaceChildren(button);
  });

const field = document.getElementById("filter"), tally = document.getElementById("found");

function filterLines() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let left = 0;
  for (const { row, text } of lines) {
    row.hidden = !words.every((word) => text.includes(word));
    left += !row.hidden;
  }
  tally.textContent = `${left} of ${lines.length} rows`;
}

field.addEventListener("input", filterLines);
startTheme();
filterLines();
document.documentElement.dataset.drawn = "all";
