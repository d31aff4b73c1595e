/* Time against size on log axes: where a call costs what it costs whatever its size. */

const ALL = "all operators";

/** What a size is counted in: bytes moved, or FLOP where a sweep's line is one of FLOP. */
const SIZES = {
  B: { of: (row) => row.byte_count, write: bytes, name: "bytes moved (B, logarithmic)" },
  FLOP: { of: (row) => row.flop_count, write: (value) => amount(value, "FLOP"), name: "work (FLOP, logarithmic)" },
};

const scalingView = {
  id: "scaling", title: "Time against size",
  lead: "Both axes logarithmic. Where a line is flat, the call itself is what costs; the plateau is "
    + "drawn where a sweep of at least four sizes shows it (opperf run --sweep).",
  absent: () => ofRun() || (results.some((row) => isTimed(row) && row.byte_count) ? null : "no result has both a time and a size"),
  build(body) {
    const picture = chart();
    const operator = choice("Operator", () => refresh());
    const direction = choice("Direction", () => refresh());
    body.append(controls(operator, direction), picture.node);
    let rows = results;
    function refresh(next = rows) {
      rows = next;
      const usable = rows.filter((row) => isTimed(row) && row.byte_count);
      const several = [...grouped(usable, (row) => row.label)].filter(([, found]) => distinct(found.map((row) => row.byte_count)).length > 1);
      operator.offer([ALL, ...several.map(([label]) => label)]);
      direction.offer(distinct(usable.map((row) => row.direction)));
      const found = usable.filter((row) => row.direction === direction.value() && [ALL, row.label].includes(operator.value()));
      if (!found.length) return picture.draw(null, { note: "Nothing is left by the filter." });
      const fits = (report.fits || []).map((fit) => ({ ...fit, first: results[fit.rows[0]] }))
        .filter((fit) => found.includes(fit.first) && operator.value() !== ALL);
      const unit = fits.length && found.every((row) => row.flop_count) ? fits[0].unit : "B";
      const plateaus = fits.filter((fit) => fit.overhead && fit.unit === unit);
      picture.draw(scalingOption(found, plateaus, SIZES[unit], operator.value() !== ALL), {
        label: `Time against size (${unit}), ${found.length} results of ${operator.value()}, ${direction.value()}; the raw table has the numbers.`,
        note: plateaus.map((fit) => `${fit.first.framework}: fixed cost ${seconds(fit.overhead)}${fit.rate ? `, then ${amount(fit.rate, `${unit}/s`)}` : ""}.`).join(" "),
      });
    }
    return refresh;
  },
};

function scalingOption(rows, plateaus, size, joined) {
  const byFramework = grouped(rows, (row) => row.framework);
  const times = [...rows.map((row) => row.seconds), ...plateaus.map((fit) => fit.overhead)];
  return {
    tooltip: tip(({ data }) => pointTip(data.row)),
    legend: legend(),
    xAxis: logAxis(size.name, size.write, rows.map(size.of)),
    yAxis: logAxis("time of a call (s, logarithmic)", seconds, times),
    series: [...byFramework].map(([name, found]) => ({
      name, type: joined ? "line" : "scatter", symbol: frameworkShape(name), symbolSize: joined ? 9 : 8,
      itemStyle: { color: frameworkColor(name), opacity: joined ? 1 : 0.75 }, lineStyle: { color: frameworkColor(name) },
      data: [...found].sort((a, b) => size.of(a) - size.of(b)).map((row) => ({ value: [size.of(row), row.seconds], row })),
      markLine: rules(...plateaus.filter((fit) => fit.first.framework === name)
        .map((fit) => rule({ yAxis: fit.overhead }, `${name}: launch plateau ${seconds(fit.overhead)}`, frameworkColor(name)))),
    })),
  };
}

const pointTip = (row) => [
  `${row.label} ${row.direction} ${row.inputs}`,
  `${row.framework} ${seconds(row.seconds)} ${spread(row.precision)}${isDoubtful(row) ? ", not to be relied on" : ""}`,
  row.flop_rate ? amount(row.flop_rate, "FLOP/s") : null,
  row.byte_rate ? amount(row.byte_rate, "B/s") : null,
  row.peak_fraction === null ? null : `${roofShare(row.peak_fraction)} of the roof, bound by ${row.bound}`,
].filter(Boolean).map((line) => short(line, 100)).join("\n");
