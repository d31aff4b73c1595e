/* The roofline model (Williams, Waterman and Patterson, 2009) against peaks measured here. */

const roofed = (row) => isTimed(row) && row.flop_rate && row.byte_rate;

const rooflineView = {
  id: "roofline", title: "Roofline",
  lead: "Operations a second against operations a byte, both logarithmic. The roofs are those that "
    + "opperf doctor --peaks measured on this machine; bandwidth depends on the working set, so there "
    + "is one for the fastest cache met and one for the slowest memory.",
  absent() {
    if (ofRun()) return ofRun();
    if (!results.some((row) => row.roof_rate)) return "no peaks were measured on the machine; opperf doctor --peaks does";
    return results.some(roofed) ? null : "no result has both FLOP and bytes";
  },
  build(body) {
    const picture = chart();
    const direction = choice("Direction", () => refresh());
    body.append(controls(direction), picture.node);
    let rows = results;
    function refresh(next = rows) {
      rows = next;
      direction.offer(distinct(results.filter(roofed).map((row) => row.direction)));
      const there = rows.filter((row) => row.direction === direction.value());
      const found = there.filter(roofed);
      const without = there.filter(isTimed).length - found.length;
      if (!found.length) return picture.draw(null, { note: "Nothing is left by the filter." });
      picture.draw(rooflineOption(found), {
        label: `Roofline of ${found.length} results, ${direction.value()}; the raw table has the numbers.`,
        note: without ? `${without} results are left out: no FLOP or no bytes are declared for them.` : "",
      });
    }
    return refresh;
  },
};

function rooflineOption(rows) {
  const roofs = results.filter((row) => row.roof_rate);
  const flops = roofs.filter((row) => row.bound === "flop").map((row) => row.roof_rate);
  const moved = roofs.filter((row) => row.bound === "bytes").map((row) => row.roof_rate);
  const peak = flops.length ? Math.max(...flops) : null;
  const intensity = (row) => row.flop_rate / row.byte_rate;
  const x = decades([...rows.map(intensity), ...(peak && moved.length ? [peak / Math.min(...moved)] : [])]);
  const bands = distinct(moved.length ? [Math.max(...moved), Math.min(...moved)] : []);
  const y = [...rows.map((row) => row.flop_rate), ...(peak ? [peak] : []), ...bands.map((rate) => rate * x.min)];
  const lines = bands.map((rate, at) => roofLine(`${bytes(rate)}/s, ${at ? "slowest memory" : "fastest cache"}`, rate, x, peak, at ? "dotted" : "solid"));
  const top = decades(y);
  return {
    tooltip: tip(({ data }) => (data.row ? pointTip(data.row) : "")),
    legend: legend(),
    xAxis: axis("log", "arithmetic intensity (FLOP/B, logarithmic)", onlyPowers(digits), x),
    yAxis: axis("log", "rate (FLOP/s, logarithmic)", onlyPowers((value) => amount(value, "FLOP/s")), top),
    series: [
      ...[...grouped(rows, (row) => row.framework)].map(([name, found], at) => ({
        name, type: "scatter", symbol: frameworkShape(name), symbolSize: 9,
        itemStyle: { color: frameworkColor(name), opacity: 0.8 },
        data: found.map((row) => ({ value: [intensity(row), row.flop_rate], row })),
        ...(at === 0 && peak ? { markLine: rules(rule({ yAxis: peak }, `measured peak ${amount(peak, "FLOP/s")}`, color("text"))) } : {}),
      })),
      ...lines,
    ],
  };
}

/** A roof by bandwidth up to the peak, or to the edge: straight on log axes. */
function roofLine(name, rate, { min, max }, peak, type) {
  const corner = Math.min(peak ? peak / rate : max, max);
  return {
    name, type: "line", data: [[min, min * rate], [corner, corner * rate]], symbol: "none", silent: true,
    lineStyle: { color: color("text"), width: 1.5, type }, itemStyle: { opacity: 0 },
  };
}
