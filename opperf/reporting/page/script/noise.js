/* How far the numbers themselves can be trusted. */

const NOISY = 0.05;

const noiseView = {
  id: "noise", title: "Noise",
  lead: report.verdicts
    ? "Controls: A against A in the same way, so that each interval should hold 1."
    : "How well each median is known within its process, what else ran meanwhile, and, where there "
      + "are several sessions, how far they differ.",
  absent() {
    if (report.verdicts) return verdicts.some((row) => row.control && row.ratio) ? null : "no row compares A with A";
    return ofRun() || (results.some((row) => isTimed(row) && row.precision) ? null : "no result states its precision");
  },
  build(body) {
    const parts = results.length ? [precisionPart(body), sessionsPart(body)] : [controlPart(body)];
    return (rows) => parts.forEach((refresh) => refresh(rows));
  },
};

function precisionPart(body) {
  const picture = chart();
  const place = element("div");
  body.append(picture.node, place);
  return (rows) => {
    const found = rows.filter((row) => isTimed(row) && row.precision);
    picture.draw(found.length ? precisionOption(found) : null, {
      height: 360,
      label: `Precision against time of ${found.length} results; the table below sums them up.`,
      note: found.length ? "Dashed: 5 %, above which a time counts as noisy." : "Nothing is left by the filter.",
    });
    place.replaceChildren(table("What disturbed the samples", noiseColumns, [...grouped(rows.filter(isTimed), (row) => row.framework)]));
  };
}

function precisionOption(rows) {
  return {
    tooltip: tip(({ data }) => pointTip(data.row)),
    legend: legend(),
    xAxis: logAxis("time of a call (s, logarithmic)", seconds, rows.map((row) => row.seconds)),
    yAxis: logAxis("precision (\u00b1 % of the median, logarithmic)", (value) => `${digits(value * 100)} %`, [...rows.map((row) => row.precision), NOISY]),
    series: [...grouped(rows, (row) => row.framework)].map(([name, found], at) => ({
      name, type: "scatter", symbol: frameworkShape(name), symbolSize: 8,
      itemStyle: { color: frameworkColor(name), opacity: 0.75 },
      data: found.map((row) => ({ value: [row.seconds, row.precision], row })),
      ...(at === 0 ? { markLine: rules(rule({ yAxis: NOISY }, "", color("muted"))) } : {}),
    })),
  };
}

/** The median over the rows that state a figure; a dash where none does. */
const middle = (name, write) => ([, rows]) => {
  const known = rows.map((row) => row[name]).filter((value) => value !== null);
  return known.length ? write(median(known)) : MISSING;
};

const noiseColumns = [
  { title: "framework", cell: ([name]) => name },
  { title: "results", number: true, cell: ([, rows]) => rows.length },
  { title: "not to be relied on", number: true, cell: ([, rows]) => rows.filter(isDoubtful).length },
  { title: "median precision", number: true, cell: middle("precision", spread) },
  { title: "samples disturbed", number: true, cell: middle("marked", percent) },
  { title: "context switches", number: true, cell: middle("context_switches", String) },
  { title: "stolen by the host", number: true, cell: middle("steal", percent) },
  { title: "waiting for a processor", number: true, cell: middle("pressure", percent) },
];

/** Between sessions: each session's median over the median of all sessions of the same row. */
function sessionsPart(body) {
  const picture = chart();
  body.append(picture.node);
  return (rows) => {
    const repeated = [...grouped(rows.filter(isTimed), (row) => `${row.framework} ${row.direction} ${jobOf(row)}`).values()]
      .filter((found) => distinct(found.map((row) => row.session)).length > 1);
    if (!repeated.length)
      return picture.draw(null, { note: "Every row was measured in one session, so what lies between sessions is not known here; opperf doctor measures it." });
    const data = repeated.flatMap((found) => {
      const all = median(found.map((row) => row.seconds));
      return found.map((row) => ({ value: [row.session, row.seconds / all - 1], row }));
    });
    picture.draw({
      tooltip: tip(({ data: { row, value } }) => `${pointTip(row)}\n${percent(value[1])} from the median of its sessions`),
      xAxis: axis("value", "session (number)", (value) => value, { minInterval: 1, scale: true }),
      yAxis: axis("value", "distance from the median of all sessions (%)", (value) => percent(value, 1), { scale: true }),
      series: [{ type: "scatter", data, symbolSize: 7, itemStyle: { color: color("series-1"), opacity: 0.7 } }],
    }, { height: 320, label: `Distance of ${data.length} session medians from the median of their sessions.` });
  };
}

/** A against A through the same pipe: what the verdicts would call nothing. */
function controlPart(body) {
  const picture = chart();
  body.append(picture.node);
  return (rows) => {
    const items = rows.filter((row) => row.control && row.ratio).map(verdictItem);
    picture.draw(items.length ? intervalChart(items, forestAxis(items, "time of A / time of A (no unit, logarithmic)")) : null, {
      height: intervalHeight(items),
      label: `${items.length} controls, A against A.`,
      note: items.length ? "" : "No control is left by the filter.",
    });
  };
}
