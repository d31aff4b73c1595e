/* Ratios with their intervals on a log axis, a row each, and the band in which they say nothing. */

const ROW = 22;
const WHISKER = 4;

/** Return the option of a chart; items are {label, ratio, interval, kind, tip}, kinds {name, color, symbol, fill, turned?}. */
function intervalChart(items, { name, band, kinds }) {
  const ends = items.flatMap((item) => [item.ratio, ...(item.interval || [])]);
  const logs = [...ends, 1 + band, 1 / (1 + band)].map(Math.log);
  const low = Math.min(...logs), high = Math.max(...logs), room = 0.04 * (high - low);
  const ticks = { customValues: ratioTicks(Math.exp(low - room), Math.exp(high + room)).map(Math.log) };
  const labels = items.map((item) => item.label);
  return {
    grid: { ...common().grid, left: 12 },
    tooltip: tip((shown) => items[shown.dataIndex === undefined ? 0 : shown.value[1]].tip),
    legend: legend({ data: kinds.map((kind) => kind.name) }),
    xAxis: axis("value", name, (value) => Number(Math.exp(value).toPrecision(6)), {
      min: low - room, max: high + room, axisLabel: ticks, axisTick: ticks,
      splitLine: { ...ticks, lineStyle: { color: color("line") } },
    }),
    yAxis: axis("category", "", (value) => value, {
      data: labels.map((_, at) => at), inverse: true, axisTick: { show: false },
      axisLabel: { ...rowNames(), formatter: (at) => short(labels[at], 80) },
    }),
    series: [
      whiskers(items, kinds),
      ...kinds.map((kind, at) => points(items, kind, at === 0 ? band : null)),
    ],
  };
}

const MOST_TICKS = 9;

/** Ratios that people read, 1 among them: evenly apart within a factor of 3, else in decades. */
function ratioTicks(low, high) {
  const between = (values) => values.filter((value) => low <= value && value <= high);
  const steps = high / low < 3 ? [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5] : [];
  const even = steps.map((step) => Array.from({ length: Math.floor(high / step) + 1 }, (_, at) => Number((at * step).toFixed(3))));
  const powers = Array.from({ length: 601 }, (_, at) => at - 300);
  const parts = [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]].map((digits) => powers.flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`))));
  const far = [2, 5, 10, 50, 100].map((step) => powers.filter((power) => power % step === 0).map((power) => Number(`1e${power}`)));
  return [...even, ...parts, ...far].map(between).find((found) => found.length <= MOST_TICKS) || [1];
}

function points(items, kind, band) {
  const data = items.flatMap((item, at) =>
    item.kind === kind.name ? [[Math.log(item.ratio), at]] : []);
  return {
    name: kind.name, type: "scatter", data, symbol: kind.symbol, symbolRotate: kind.turned, symbolSize: 10, z: 3,
    itemStyle: { color: kind.fill, borderColor: kind.color, borderWidth: 2 },
    ...(band === null ? {} : {
      markArea: { silent: true, itemStyle: { color: color("band") }, data: [[{ xAxis: -Math.log(1 + band) }, { xAxis: Math.log(1 + band) }]] },
      markLine: rules(rule({ xAxis: 0 }, "", color("muted"))),
    }),
  };
}

function whiskers(items, kinds) {
  const tints = new Map(kinds.map((kind) => [kind.name, kind.color]));
  const data = items.flatMap((item, at) => (item.interval ? [[...item.interval.map(Math.log), at]] : []));
  return {
    type: "custom", data, silent: true, z: 2, encode: { x: [0, 1], y: 2 },
    renderItem: (_, api) => {
      const [left, y] = api.coord([api.value(0), api.value(2)]);
      const [right] = api.coord([api.value(1), api.value(2)]);
      const style = { stroke: tints.get(items[api.value(2)].kind), lineWidth: 1.5 };
      const stroke = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style });
      return {
        type: "group",
        children: [
          stroke(left, y, right, y),
          stroke(left, y - WHISKER, left, y + WHISKER),
          stroke(right, y - WHISKER, right, y + WHISKER),
        ],
      };
    },
  };
}

const intervalHeight = (items) => 110 + ROW * Math.max(items.length, 4);
