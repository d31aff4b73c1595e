/* What the user turns: native controls, so that keys and screen readers work. */

const LONGEST_OPTION = 90;

/** Return {node, value(), offer(options)}; options are texts or [value, text]. */
function choice(label, onchange) {
  const select = element("select", { onchange });
  const node = element("label", {}, label, select);
  let offered = "";
  function offer(options) {
    const pairs = options.map((option) => (Array.isArray(option) ? option : [option, option]));
    const next = JSON.stringify(pairs);
    if (next === offered) return;
    offered = next;
    const kept = select.value;
    select.replaceChildren(...pairs.map(([value, text]) =>
      element("option", { value }, short(text, LONGEST_OPTION))));
    if (pairs.some(([value]) => value === kept)) select.value = kept;
    node.hidden = pairs.length < 2;
  }
  return { node, offer, value: () => select.value };
}

/** Return {node, slice(items)}: the part of the items that is turned to. */
function pager(size, what, onchange) {
  let page = 0, last = 0;
  const turn = (step) => () => { page += step; onchange(); };
  const before = element("button", { type: "button", onclick: turn(-1), "aria-label": `Previous ${what}` }, "Previous");
  const after = element("button", { type: "button", onclick: turn(1), "aria-label": `Next ${what}` }, "Next");
  const place = element("span", { role: "status" });
  const node = element("span", { class: "pager" }, before, place, after);
  function slice(items) {
    last = Math.max(Math.ceil(items.length / size) - 1, 0);
    page = Math.min(Math.max(page, 0), last);
    const start = page * size, end = Math.min(start + size, items.length);
    place.textContent = items.length ? `${start + 1} to ${end} of ${items.length} ${what}` : `no ${what}`;
    before.disabled = page === 0;
    after.disabled = page === last;
    before.hidden = after.hidden = last === 0;
    return items.slice(start, end);
  }
  return { node, slice, first: () => { page = 0; } };
}

const controls = (...parts) => element("div", { class: "controls" }, ...parts.map((part) => part.node));
