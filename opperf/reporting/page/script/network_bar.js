/* The cumulative bar: each row begins where the one above it ends, and the last one at all of it. */

const BAR_ROW = 34, NARROW_ROW = 48, FARTHEST = 2.5, RIGHT = 0.72;
const ABOVE = 6; // a bar and its label stand above lines

/** Draw the dearest of the rows; `what` says what they are. */
function drawBar(picture, network, rows, what) {
  const timed = rows.filter(hasTime);
  if (!timed.length) {
    const why = !rows.length ? "Nothing is left by the filter." : "None of these rows has a time; the table says why.";
    return picture.draw(null, { note: why });
  }
  const items = barItems(timed);
  const whole = network.whole && network.sum ? network.whole / network.sum : null;
  const drawn = whole && whole <= FARTHEST ? whole : null;
  const shown = timed.slice(0, LISTED);
  picture.draw(barOption(items, drawn, network), {
    height: 110 + (isNarrow() ? NARROW_ROW : BAR_ROW) * items.length,
    label: `Cumulative bar of the dearest ${shown.length} of ${timed.length} rows, ${what}: `
      + `${percent(sumOf(shown))} of the sum; the table below has the numbers.`,
    note: barNote(rows, timed, whole, drawn),
  });
}

const sumOf = (rows) => rows.reduce((sum, row) => sum + row.share, 0);

function barNote(rows, timed, whole, drawn) {
  const lacking = rows.filter((row) => !hasTime(row));
  const calls = lacking.reduce((sum, row) => sum + row.count, 0);
  return [
    timed.some((row) => doubtOf(row) > 0) ? "! and triangles: not to be relied on, as a whole or in part." : "",
    lacking.length ? `${counted(lacking.length, "row")} (${counted(calls, "call")}) without a time ${lacking.length === 1 ? "has" : "have"} no bar; the table says why.` : "",
    whole && !drawn ? `The whole network takes ${digits(whole)} times the sum of its calls, beyond the edge.` : "",
  ].filter(Boolean).join(" ");
}

/** The share of a row's time that is not to be relied on. */
const doubtOf = (row) => (row.key === undefined ? Number(!row.reliable) : row.doubtful);

/** The dearest rows, and all others as one; each begins where the one before it ends. */
function barItems(timed) {
  const items = timed.slice(0, LISTED).map(barItem), others = timed.slice(LISTED);
  if (others.length) items.push({ name: `${others.length} others`, more: "", share: sumOf(others), parts: { rest: sumOf(others) }, doubt: Number(others.some((row) => doubtOf(row) > 0)) });
  let start = 0;
  for (const item of items) { item.start = start; start += item.share; }
  return items;
}

function barItem(row) {
  const isCall = row.key === undefined;
  return {
    name: isCall ? `${row.index + 1}. ${row.operator}` : row.key || "(the network itself)",
    more: isCall ? `${row.count} x ${row.arguments || "()"}` : `${row.count} calls, ${row.distinct} distinct`,
    parts: isCall ? partsOf(row) : { group: row.share }, share: row.share, doubt: doubtOf(row), row,
  };
}

/** A call's share by phase; forward and backward calls take as long as each other. */
function partsOf({ share, count, forward, backward }) {
  const known = { forward: share * (forward || 0) / count, backward: share * (backward || 0) / count };
  const left = share - known.forward - known.backward;
  return { ...known, unknown: left > 1e-9 * share ? left : 0 };
}

const BAR_PARTS = {
  forward: ["forward", "series-1"], backward: ["backward", "series-2"], unknown: ["phase not known", "series-5"],
  group: ["sum of its calls", "series-3"], rest: ["the other rows", "hatch"],
};

function barOption(items, whole, network) {
  const used = Object.keys(BAR_PARTS).filter((name) => items.some((item) => item.parts[name]));
  const end = Math.ceil(4 * Math.max(1, whole || 0)) / 4;
  return {
    tooltip: tip(({ dataIndex }) => barTip(items[dataIndex])),
    legend: legend({ data: used.map((name) => BAR_PARTS[name][0]), itemGap: 10 }),
    grid: { ...common().grid, top: whole ? 62 : 40, right: 28 },
    xAxis: axis("value", `cumulative share of the sum, ${seconds(network.sum)}`, (value) => percent(value, 0), { min: 0, max: end, interval: end > 1.5 && isNarrow() ? 0.5 : 0.25 }),
    yAxis: axis("category", "", (value) => value, {
      data: items.map((_, at) => at), inverse: true, axisTick: { show: false }, z: ABOVE + 1,
      axisLabel: isNarrow() ? labelAbove(items) : labelBeside(items),
    }),
    series: [
      { type: "bar", stack: "all", barMaxWidth: 18, z: ABOVE, silent: true, itemStyle: { color: "transparent" }, data: items.map((item) => ({ value: item.start, label: startLabel(item, end) })) },
      ...used.map((name) => barSeries(name, items)),
      endSeries(items, end),
      ...(whole ? [wholeLine(whole, network)] : []),
    ],
  };
}

/** Two lines beside each bar, cut to the room there is; braces would be read as a style. */
function labelBeside(items) {
  const room = Math.min(380, Math.round(0.42 * document.getElementById("content").clientWidth));
  const cut = (text, size) => short(text.replace(/[{}|]/g, " "), Math.floor(room / size));
  return {
    interval: 0, lineHeight: 15, align: "right",
    rich: { name: { color: color("text"), fontSize: 12 }, more: { color: color("muted"), fontSize: 11 } },
    formatter: (at) => [`{name|${cut(items[at].name, 6.6)}}`, ...(items[at].more ? [`{more|${cut(items[at].more, 6)}}`] : [])].join("\n"),
  };
}

/** On a narrow page one line above each bar. */
const labelAbove = (items) => ({
  interval: 0, inside: true, align: "left", verticalAlign: "bottom", padding: [0, 0, 11, -4], fontSize: 12, color: color("text"), textBorderColor: color("panel"), textBorderWidth: 3,
  formatter: (at) => short(items[at].name, Math.floor((innerWidth - 90) / 6.6)),
});

const isFar = (item, end) => (item.start + item.share) / end > RIGHT;
const shareLabel = (item) => ({ show: true, formatter: () => `${item.doubt > 0 ? "! " : ""}${percent(item.share)}`, color: color("text"), fontSize: 11, backgroundColor: color("panel"), padding: [1, 2] });
/** Where there is no room on its right, a bar has its share on its left, if it does not begin there. */
const startLabel = (item, end) => (isFar(item, end) && item.start / end > 0.1 ? { ...shareLabel(item), position: "insideRight" } : { show: false });

function barSeries(name, items) {
  const [title, tint] = BAR_PARTS[name];
  return {
    name: title, type: "bar", stack: "all", barMaxWidth: 18, z: ABOVE, itemStyle: { color: color(tint) },
    data: items.map((item) => ({
      value: item.parts[name] || 0,
      itemStyle: item.doubt > 0 ? { color: color(tint), decal: { symbol: "triangle", symbolSize: 0.5, color: color("panel") } } : { color: color(tint) },
    })),
  };
}

/** Nothing but the labels on the right of the bars. */
function endSeries(items, end) {
  return {
    type: "bar", stack: "all", silent: true, barMaxWidth: 18, z: ABOVE, itemStyle: { color: "transparent" },
    data: items.map((item) => ({ value: 0, label: isFar(item, end) ? { show: false } : { ...shareLabel(item), position: "right" } })),
  };
}

/** The time of the whole network, below the bars and their labels. */
const wholeLine = (whole, network) => ({
  type: "line", data: [], silent: true, z: 1,
  markLine: { ...rules(rule({ xAxis: whole }, `whole network ${seconds(network.whole)}`, color("text"), "start")), z: 1 },
});

function barTip({ name, more, share, start, row }) {
  const lines = [name, more, `${percent(share)} of the sum, ${percent(start + share)} with those above`];
  if (row && row.seconds) lines.push(`${timeText(row)} each, ${seconds(row.total)} in all`);
  else if (row) lines.push(`${seconds(row.total)} in all, ${percent(row.doubtful, 0)} of it not to be relied on`);
  if (row && row.module) lines.push(row.module);
  if (row && row.warnings) lines.push(`${row.status}: ${row.warnings}`);
  return lines.filter(Boolean).map((line) => short(line, 100)).join("\n");
}
