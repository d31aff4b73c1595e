/* Operators by shapes. What was not measured is hatched and never zero. */

const CELL = 26;
const MOST_LEVEL = 3; // shapes beside each other that are named without turning the names
const MOST_WRITTEN = 12; // shapes beside each other whose cells still have room for a number

const heatmapView = {
  id: "heatmap", title: "Operators by shape",
  lead: "One category at a time. Hatched: asked for without a time, with the status in words, or not "
    + "asked for at this shape.",
  absent: () => ofRun() || (results.length ? null : "there are no results"),
  build(body) {
    const picture = chart();
    const category = choice("Category", () => refresh());
    const direction = choice("Direction", () => refresh());
    const quantity = choice("Show", () => refresh());
    body.append(controls(category, direction, quantity), picture.node);
    let rows = results;
    function refresh(next = rows) {
      rows = next;
      category.offer(distinct(rows.map((row) => row.category)));
      direction.offer(distinct(rows.filter((row) => row.category === category.value()).map((row) => row.direction)));
      quantity.offer(quantities());
      const cells = cellsOf(rows.filter((row) => row.category === category.value() && row.direction === direction.value()), quantity.value());
      if (!cells.rows.length) return picture.draw(null, { note: "Nothing is left by the filter." });
      picture.draw(heatOption(cells, quantity.value()), {
        height: (cells.shapes.length > MOST_LEVEL ? 200 : 140) + CELL * cells.rows.length,
        label: `${cells.rows.length} operators by ${cells.shapes.length} inputs: ${quantity.value()}; the raw table has the numbers.`,
        note: quantity.value() === "ratio" ? "Orange: takes longer than the first framework; blue: takes less; both on a logarithmic scale." : "",
      });
    }
    return refresh;
  },
};

function quantities() {
  const shares = results.some((row) => row.peak_fraction !== null);
  return [
    ...(pairs.length ? [["ratio", `ratio to ${frameworks[0]}`]] : []),
    ...frameworks.map((name) => [`time ${name}`, `time on ${name}`]),
    ...(shares ? frameworks.map((name) => [`roof ${name}`, `share of the roof on ${name}`]) : []),
  ];
}

/** Return {rows, shapes, cells}: a cell is {x, y, value|null, text, tip}. */
function cellsOf(rows, quantity) {
  const operators = distinct(rows.map((row) => row.label)).sort();
  const shapes = distinct([...rows].sort((a, b) => (a.byte_count || 0) - (b.byte_count || 0)).map((row) => row.inputs));
  const places = grouped(rows, (row) => `${operators.indexOf(row.label)} ${shapes.indexOf(row.inputs)}`);
  const cells = operators.flatMap((label, y) => shapes.map((given, x) => {
    const found = places.get(`${y} ${x}`) || [];
    return { x, y, ...valueOf(found, quantity), head: `${label} ${given}` };
  }));
  return { rows: operators, shapes, cells };
}

function valueOf(found, quantity) {
  const [kind, name] = quantity === "ratio" ? ["ratio", frameworks[frameworks.length - 1]] : quantity.split(/ (.*)/s);
  const row = found.find((one) => one.framework === name);
  if (kind === "ratio") {
    const pair = pairs.find((one) => one.b === row);
    if (pair && !isReliablePair(pair)) return { value: null, text: "?", more: JUDGEMENTS[pair.judgement] };
    if (pair) return { value: Math.log2(pair.ratio), text: factor(pair.ratio), more: pairItem(pair).tip };
  } else if (row && isTimed(row)) {
    if (kind === "time") return { value: Math.log10(row.seconds), text: seconds(row.seconds), more: `${seconds(row.seconds)} ${spread(row.precision)}` };
    if (row.peak_fraction !== null) return { value: row.peak_fraction, text: roofShare(row.peak_fraction), more: `bound by ${row.bound}` };
  }
  const statuses = found.filter((one) => !isTimed(one)).map((one) => `${one.framework}: ${words(one.status)}`);
  const told = statuses.join(", ") || (found.length ? "no such figure" : "not asked for");
  return { value: null, text: statuses.length ? short(words(found.find((one) => !isTimed(one)).status), 12) : "", more: told };
}

function heatOption({ rows, shapes, cells }, quantity) {
  const timed = cells.filter((cell) => cell.value !== null);
  const reach = Math.max(1, ...timed.map((cell) => Math.abs(cell.value)));
  const values = timed.map((cell) => cell.value);
  const write = quantity === "ratio" ? (v) => digits(2 ** v) : quantity.startsWith("time") ? (v) => seconds(10 ** v) : (v) => percent(v, 0);
  const [min, max] = quantity === "ratio" ? [-reach, reach]
    : quantity.startsWith("roof") ? [0, Math.max(1, ...values)]
      : [Math.min(...values), Math.max(...values, Math.min(...values) + 1e-3)];
  const scale = quantity === "ratio" ? ["low", "middle", "high"] : ["quick", "slow"];
  const written = (list) => list.map((cell) => ({
    value: [cell.x, cell.y, cell.value], cell,
    label: { color: inkOn(mixed(scale, (cell.value - min) / (max - min))) },
  }));
  return {
    tooltip: tip(({ data }) => short(`${data.cell.head}\n${data.cell.more}`, 400)),
    grid: { ...common().grid, top: 64 },
    visualMap: timed.length ? {
      type: "continuous", min, max, calculable: false, seriesIndex: 0, orient: "horizontal", left: "center", top: 4,
      precision: 3, formatter: write, text: [write(max), write(min)], textStyle: font(), dimension: 2,
      inRange: { color: scale.map(color) }, itemHeight: 180, itemWidth: 14,
    } : undefined,
    xAxis: axis("category", "inputs", (value) => short(value, 80), { data: shapes, axisLabel: { interval: 0, ...roomFor(shapes), overflow: "truncate" }, splitArea: { show: false } }),
    yAxis: axis("category", "", (value) => short(value, 32), { data: rows, inverse: true, axisLabel: rowNames() }),
    series: [
      {
        type: "heatmap", data: written(timed), itemStyle: { borderColor: color("panel"), borderWidth: 1 },
        label: { show: shapes.length <= MOST_WRITTEN, fontSize: 11, formatter: ({ data }) => data.cell.text },
      },
      hatched(cells.filter((cell) => cell.value === null), shapes.length <= MOST_WRITTEN),
    ],
  };
}

/** Names below the cells stand level where there is room for them; pixels. */
const roomFor = (shapes) => (shapes.length > MOST_LEVEL ? { rotate: 30, width: 170 }
  : { rotate: 0, width: Math.floor(0.7 * Math.min(innerWidth, 1280) / shapes.length) });

/** The cells without a figure. */
function hatched(cells, written) {
  return {
    type: "custom", data: cells.map((cell) => ({ value: [cell.x, cell.y], cell })),
    renderItem: (params, api) => {
      const [x, y] = api.coord([api.value(0), api.value(1)]);
      const [width, height] = api.size([1, 1]);
      const shape = { x: x - width / 2 + 1, y: y - height / 2 + 1, width: width - 2, height: height - 2 };
      const { text } = cells[params.dataIndex];
      return {
        type: "rect", shape, style: { fill: hatch() },
        textContent: written && text ? { style: { text, fontSize: 11, fill: color("text"), backgroundColor: color("panel"), padding: [1, 4] } } : undefined,
        textConfig: { position: "inside" },
      };
    },
  };
}

/** Return the color at a share of the way along a scale, as [red, green, blue]. */
function mixed(scale, share) {
  const stops = scale.map((name) => color(name).match(/[0-9a-f]{2}/gi).map((two) => parseInt(two, 16)));
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const from = Math.min(Math.floor(at), stops.length - 2);
  return stops[from].map((part, index) => part + (stops[from + 1][index] - part) * (at - from));
}

/** Black or white, whichever reads better on the color: relative luminance as WCAG 2 defines it. */
function inkOn(rgb) {
  const linear = rgb.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  return luminance > 0.179 ? "#000000" : "#ffffff";
}
