/* Medians over time. A gap stays a gap; a change point is a line that says by how much. */

const histories = report.histories || [];
const machines = new Set(histories.map((history) => history.machine));
const titleOf = (history) => [
  history.operator, history.framework, history.direction, history.inputs,
  machines.size > 1 ? `machine ${history.machine}` : "",
].filter(Boolean).join(" ");

const historyView = {
  id: "history", title: "History",
  lead: "Medians with their 95 % intervals over time. Dashed: a change point, new level over old. "
    + "Where there is no time, the line is broken; grey: nothing was measured.",
  absent: () => (report.histories ? null : "of a store of many runs (opperf report --since DATE)"),
  build(body) {
    const picture = chart();
    const series = choice("Series", () => refresh());
    const place = element("div");
    body.append(controls(series), picture.node, place);
    let rows = histories;
    function refresh(next = rows) {
      rows = next;
      series.offer(rows.map((history) => [String(histories.indexOf(history)), `${history.changes.length ? "\u25b2 " : ""}${titleOf(history)}`]));
      const history = rows.length ? histories[Number(series.value())] : null;
      place.replaceChildren();
      if (!history) return picture.draw(null, { note: "Nothing is left by the filter." });
      const lacking = history.points.filter((point) => point[1] === null).length;
      picture.draw(history.points.length > lacking ? historyOption(history) : null, {
        label: `History of ${titleOf(history)}: ${history.points.length} points, ${history.changes.length} changes, ${history.gaps.length} gaps.`,
        note: lacking ? `${lacking} of ${history.points.length} have no time.` : "",
      });
      if (history.changes.length) place.append(table("Changes", changeColumns, history.changes));
    }
    return refresh;
  },
};

/** Return a time as "2026-11-21 03:15"; what is none stays as it is. */
const day = (time) => (isNaN(new Date(time)) ? time : new Date(time).toISOString().slice(0, 16).replace("T", " "));

const changeColumns = [
  { title: "from", cell: (change) => day(change.at) },
  { title: "new / old", number: true, cell: (change) => factor(change.ratio) },
  { title: "what else changed", cell: (change) => change.cause || "nothing that is recorded" },
  { title: "acknowledged", cell: (change) => (change.acknowledged ? "yes" : "no") },
];

function historyOption({ points, changes, gaps, framework }) {
  const tint = color("series-1");
  const at = (point) => Date.parse(point[0]);
  const pauses = gaps.map((gap) => gap.map(Date.parse));
  const line = [...points.map((point) => ({ value: [at(point), point[1]], point })), ...pauses.map(([start]) => ({ value: [start + 1, null] }))];
  const within = points.map(at), days = (Math.max(...within) - Math.min(...within)) / 864e5;
  const moment = (time) => (days > 3 ? day(time).slice(0, 10) : day(time).slice(5));
  return {
    tooltip: tip(({ data }) => `${day(data.point[0])} ${framework}\n${seconds(data.point[1])} [${seconds(data.point[2])}, ${seconds(data.point[3])}]\n${short(data.point[4], 120)}`),
    xAxis: axis("time", "time (UTC)", moment, { splitLine: { show: false } }),
    yAxis: axis("value", "time of a call (s)", seconds, { scale: true }),
    series: [
      {
        name: "median", type: "line", connectNulls: false, symbol: "circle", symbolSize: 6,
        itemStyle: { color: tint }, lineStyle: { color: tint },
        data: line.sort((a, b) => a.value[0] - b.value[0]),
        markArea: { silent: true, itemStyle: { color: color("band") }, data: pauses.map(([start, end]) => [{ xAxis: start }, { xAxis: end }]) },
        markLine: rules(...changes.map((change) =>
          rule({ xAxis: Date.parse(change.at) }, `\u00d7 ${factor(change.ratio)}${change.acknowledged ? ", acknowledged" : ""}`, color(change.ratio > 1 ? "series-2" : "series-3"), "end"))),
      },
      {
        type: "custom", silent: true, encode: { x: 0, y: [1, 2] },
        data: points.filter((point) => point[2] !== null && point[3] !== null).map((point) => [at(point), point[2], point[3]]),
        renderItem: (_, api) => {
          const [x, low] = api.coord([api.value(0), api.value(1)]);
          const [, high] = api.coord([api.value(0), api.value(2)]);
          return { type: "line", shape: { x1: x, y1: low, x2: x, y2: high }, style: { stroke: tint, lineWidth: 1.5 } };
        },
      },
    ],
  };
}
