/* Elements. Texts are only ever set as text: nothing in the data can become markup. */

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

const LONGEST_CELL = 400, LONGEST_WORD = 28, LONG = 60;

/** A table of texts: `columns` are {title, cell(row), number?, link(row)?}. */
function table(caption, columns, rows) {
  const heads = columns.map((column) =>
    element("th", { scope: "col", class: column.number ? "number" : "" }, column.title));
  return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption },
    element("table", {}, element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...rows.map((row) => tableRow(columns, row)))));
}

function tableRow(columns, row) {
  return element("tr", {}, ...columns.map((column) => {
    const text = short(String(column.cell(row) ?? MISSING), LONGEST_CELL);
    const address = column.link?.(row);
    return element("td", { class: column.number ? "number" : kindOfText(text) },
      address ? element("a", { href: address }, text) : text);
  }));
}

function kindOfText(text) {
  if (text.split(/\s/).some((word) => word.length > LONGEST_WORD)) return "broken";
  return text.length > LONG ? "long" : "text";
}

/** A chart's numbers as a table, made when it is opened. */
function foldedTable(title, make) {
  const place = element("div");
  const folded = element("details", {}, element("summary", {}, title), place);
  const fill = () => { if (folded.open) place.replaceChildren(make()); };
  folded.addEventListener("toggle", fill);
  return { node: folded, refresh: fill };
}
