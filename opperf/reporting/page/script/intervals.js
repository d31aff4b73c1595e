/* Ratios with their intervals on a log axis, a row each, and the band in which they say nothing. */

const ROW = 22;
const WHISKER = 4;

/** Return the option of a chart; items are {label, ratio, interval, kind, tip}, kinds {name, color, symbol, turned?, hollow}. */
function intervalChart(items, { name, band, kinds }) {
  const ends = items.flatMap((item) => [item.ratio, ...(item.interval || [])]);
  const logs = [...ends, 1 + band, 1 / (1 + band)].map(Math.log);
  const tick = step(Math.max(...logs) - Math.min(...logs));
  const labels = items.map((item) => item.label);
  return {
    grid: { ...common().grid, left: 12 },
    tooltip: tip((shown) => items[shown.dataIndex === undefined ? 0 : shown.value[1]].tip),
    legend: legend({ data: kinds.map((kind) => kind.name) }),
    xAxis: axis("value", name, (value) => digits(Math.exp(value)), {
      min: tick * Math.floor(Math.min(...logs) / tick - 0.1), max: tick * Math.ceil(Math.max(...logs) / tick + 0.1), interval: tick,
    }),
    yAxis: axis("category", "", (value) => value, {
      data: labels.map((_, at) => at), inverse: true, axisTick: { show: false },
      axisLabel: {
        color: color("text"), interval: 0, width: labelWidth(), overflow: "truncate",
        formatter: (at) => short(labels[at], 80),
      },
    }),
    series: [
      whiskers(items, kinds),
      ...kinds.map((kind, at) => points(items, kind, at === 0 ? band : null)),
    ],
  };
}

const labelWidth = () => (innerWidth < 1000 ? 230 : 380);

/** The distance of ticks: powers of a factor that people read, so that 1 is always one of them. */
function step(extent) {
  const steps = [1.01, 1.02, 1.05, 1.1, 1.25, 1.5, 2, 4, 10, 100, 1e4, 1e8].map(Math.log);
  return steps.find((size) => extent / size <= 8) || steps[steps.length - 1];
}

function points(items, kind, band) {
  const data = items.flatMap((item, at) =>
    item.kind === kind.name ? [[Math.log(item.ratio), at]] : []);
  return {
    name: kind.name, type: "scatter", data, symbol: kind.symbol, symbolRotate: kind.turned, symbolSize: 10, z: 3,
    itemStyle: { color: kind.hollow ? color("panel") : kind.color, borderColor: kind.color, borderWidth: 2 },
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
