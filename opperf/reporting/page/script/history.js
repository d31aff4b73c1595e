/* Medians over time. A gap stays a gap; a change point is a line that says by how much. */

const histories = report.histories || [];
const titleOf = (history) => `${history.operator} ${history.framework} ${history.direction} ${history.inputs}`;

const historyView = {
  id: "history", title: "History",
  lead: "Medians with their 95 % intervals over time. Dashed: a change point, new level over old. "
    + "Where there is no time, the line is broken.",
  absent: () => (report.histories ? null : "one moment is shown; a history needs a store of many runs"),
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
      const gaps = history.points.filter((point) => point[1] === null);
      picture.draw(history.points.length > gaps.length ? historyOption(history) : null, {
        label: `History of ${titleOf(history)}: ${history.points.length} points, ${history.changes.length} changes, ${gaps.length} gaps.`,
        note: gaps.length ? `${gaps.length} of ${history.points.length} have no time.` : "",
      });
      if (history.changes.length) place.append(table("Changes", changeColumns, history.changes));
    }
    return refresh;
  },
};

const day = (time) => new Date(time).toISOString().slice(0, 16).replace("T", " ");

const changeColumns = [
  { title: "from", cell: (change) => day(change.at) },
  { title: "new / old", number: true, cell: (change) => factor(change.ratio) },
  { title: "what else changed", cell: (change) => change.cause || "nothing that is recorded" },
  { title: "acknowledged", cell: (change) => (change.acknowledged ? "yes" : "no") },
];

function historyOption({ points, changes, framework }) {
  const tint = color("series-1");
  const at = (point) => Date.parse(point[0]);
  const within = points.map(at), days = (Math.max(...within) - Math.min(...within)) / 864e5;
  const moment = (time) => (days > 3 ? day(time).slice(0, 10) : day(time).slice(5));
  return {
    tooltip: tip(({ data }) => `${day(data.point[0])} ${framework}\n${seconds(data.point[1])} [${seconds(data.point[2])}, ${seconds(data.point[3])}]\n${short(data.point[4], 120)}`),
    xAxis: axis("time", "time (UTC)", moment, { splitLine: { show: false } }),
    yAxis: axis("value", "time of a call (s)", seconds, { min: 0 }),
    series: [
      {
        name: "median", type: "line", connectNulls: false, symbol: "circle", symbolSize: 6,
        itemStyle: { color: tint }, lineStyle: { color: tint },
        data: points.map((point) => ({ value: [at(point), point[1]], point })),
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
