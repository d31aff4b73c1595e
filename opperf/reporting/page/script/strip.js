/* The raw samples of one job in the order in which they were taken, session after session. */

const DRAWN = 50;

const stripView = {
  id: "strip", title: "Samples in time order",
  lead: `Each sample's distance from its median, at most ${DRAWN} of a result. Drift, steps and `
    + "two groups show here and nowhere else. Hollow: something else had the processor; left out.",
  absent: () => ofRun() || (results.some((row) => row.samples) ? null : "no result has samples"),
  build(body) {
    const picture = chart();
    const job = choice("Operator", () => refresh());
    const direction = choice("Direction", () => refresh());
    body.append(controls(job, direction), picture.node);
    let rows = results;
    function refresh(next = rows) {
      rows = next;
      const usable = rows.filter((row) => row.samples);
      job.offer(distinct(usable.map(jobOf)));
      const there = usable.filter((row) => jobOf(row) === job.value());
      direction.offer(distinct(there.map((row) => row.direction)));
      const found = there.filter((row) => row.direction === direction.value());
      if (!found.length) return picture.draw(null, { note: "Nothing is left by the filter." });
      picture.draw(stripOption(found), {
        height: 360,
        label: `Samples of ${job.value()}, ${direction.value()}, in time order.`,
        note: cutNote(found) + found.map((row) => `${row.framework}${row.session ? `, session ${row.session}` : ""}: ${seconds(row.seconds)} ${spread(row.precision)}, ${row.n} samples${row.warnings ? `, ${noted(row.warnings)}` : ""}.`).join(" "),
      });
    }
    return refresh;
  },
};

/** Twice what 95 % of the samples keep within, so that single ones do not flatten the rest. */
function limitOf(rows) {
  const away = rows.flatMap((row) => row.samples.at.map(Math.abs)).sort((a, b) => a - b);
  const wanted = Math.max(2 * away[Math.floor(0.95 * (away.length - 1))], 100) / 1e4;
  const decade = 10 ** Math.floor(Math.log10(wanted));
  return decade * [1, 2, 5, 10].find((step) => decade * step >= wanted * 0.999);
}

function cutNote(rows) {
  const limit = limitOf(rows);
  const beyond = rows.flatMap((row) => row.samples.at).filter((value) => Math.abs(value) / 1e4 > limit).length;
  return beyond ? `Samples beyond the axis, drawn at its edge: ${beyond}. ` : "";
}

function stripOption(rows) {
  const limit = limitOf(rows);
  const sessions = distinct(rows.map((row) => row.session)).sort((a, b) => a - b);
  const starts = sessions.map((_, at) => at * (DRAWN + 4));
  const series = [...grouped(rows, (row) => row.framework)].map(([name, found], at) => ({
    name, type: "scatter", symbol: frameworkShape(name), symbolSize: 7,
    itemStyle: { color: frameworkColor(name) },
    data: found.flatMap((row) => row.samples.at.map((value, place) => ({
      value: [starts[sessions.indexOf(row.session)] + place + 1, Math.min(Math.max(value / 1e4, -limit), limit)],
      row, away: value / 1e4,
      ...(row.samples.out.includes(place) ? { itemStyle: { color: color("panel"), borderColor: frameworkColor(name), borderWidth: 1.5 } } : {}),
    }))),
    ...(at === 0 ? { markLine: rules(
      rule({ yAxis: 0 }, "", color("muted")),
      ...(sessions.length > 1 ? sessions.map((session, index) => rule({ xAxis: starts[index] }, `session ${session}`, color("line"), "end")) : []),
    ) } : {}),
  }));
  return {
    tooltip: tip(({ data }) => `${data.row.framework}: ${percent(data.away)} from the median, ${seconds(data.row.seconds * (1 + data.away))}`),
    legend: legend(),
    xAxis: axis("value", "sample, in time order (number)", (value) => value, { min: 0, minInterval: 1 }),
    yAxis: axis("value", "distance from the median (%)", (value) => percent(value, limit < 0.05 ? 1 : 0), { min: -limit, max: limit, interval: limit / 2 }),
    series,
  };
}
