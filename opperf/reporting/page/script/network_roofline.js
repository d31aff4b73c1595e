/* The roofline with a network's calls: the area of each is its share of the sum. */

const WIDEST = 64; // pixels across a call that would take all of the time
const LEAST = 4;
const NAMED = 6;
const MOST_POINTS = 1000; // the dearest; those below are specks that a browser draws for seconds

const hasRates = (call) => hasTime(call) && call.flop_rate > 0 && call.byte_rate > 0;

function drawNetworkRoofline(picture, network, calls) {
  const timed = calls.filter(hasTime), rated = timed.filter(hasRates), found = rated.slice(0, MOST_POINTS);
  const specks = rated.slice(MOST_POINTS);
  const left = timed.filter((call) => !hasRates(call));
  const without = left.length ? `${counted(left.length, "distinct call")}, ${percent(sumOf(left))} of the sum, ${left.length === 1 ? "is" : "are"} left out: no FLOP or no bytes are known. ` : "";
  if (!found.length) return picture.draw(null, { note: calls.length ? `${without}No call is left that has both FLOP and bytes.` : "Nothing is left by the filter." });
  const { flop, bytes: moved } = network.roofs;
  const unroofed = flop.length || moved.length ? "" : "No peaks were measured on this machine, so there are no roofs; opperf doctor --peaks does. ";
  picture.draw(networkRooflineOption(network, found), {
    height: isNarrow() ? 520 : 460,
    label: `Roofline of ${counted(found.length, "distinct call")}, the area of each its share of the time; the table above has the numbers.`,
    note: `${unroofed}${without}${specks.length ? `${counted(specks.length, "cheaper call")}, ${percent(sumOf(specks))} of the sum, ${specks.length === 1 ? "is" : "are"} not drawn. ` : ""}The area of a circle is its share of the sum (none is drawn smaller than ${LEAST} pixels). `
      + "Hollow: a time not to be relied on. Numbers: the rank of the dearest.",
  });
}

function networkRooflineOption(network, calls) {
  const peak = network.roofs.flop[0] || null, bands = distinct(network.roofs.bytes);
  const intensity = (call) => call.flop_rate / call.byte_rate;
  const corner = peak && bands.length ? [peak / Math.min(...bands)] : [];
  const x = decades([...calls.map(intensity), ...corner]);
  const y = decades([...calls.map((call) => call.flop_rate), ...(peak ? [peak] : []), ...bands.map((rate) => rate * x.min)]);
  const named = calls.slice().sort((a, b) => a.index - b.index).slice(0, NAMED);
  const byPhase = grouped(calls.slice().sort((a, b) => b.share - a.share), phaseOf);
  return {
    tooltip: tip(({ data }) => (data.call ? callTip(data.call) : "")),
    legend: legend({ itemGap: 10 }),
    grid: { ...common().grid, top: isNarrow() ? 92 : 64 },
    xAxis: axis("log", "arithmetic intensity (FLOP/B, logarithmic)", onlyPowers(digits), x),
    yAxis: axis("log", isNarrow() ? "" : "rate (FLOP/s, logarithmic)", onlyPowers((value) => amount(value, "FLOP/s")), y),
    series: [
      ...Object.keys(PHASES).filter((phase) => byPhase.has(phase)).map((phase, at) => ({
        name: phase, type: "scatter", symbol: "circle", itemStyle: { color: color(PHASES[phase]) },
        data: byPhase.get(phase).map((call) => rooflinePoint(call, intensity(call), named, color(PHASES[phase]))),
        ...(at === 0 && peak ? { markLine: rules(rule({ yAxis: peak }, `measured peak ${amount(peak, "FLOP/s")}`, color("text"))) } : {}),
      })),
      ...bands.map((rate, at) => roofLine(`${bytes(rate)}/s, ${bands.length === 1 ? "memory" : at ? "slowest memory" : "fastest cache"}`, rate, x, peak, at ? "dotted" : "solid")),
    ],
  };
}

function rooflinePoint(call, intensity, named, tint) {
  const size = Math.max(WIDEST * Math.sqrt(call.share), LEAST);
  return {
    value: [intensity, call.flop_rate], call, symbolSize: size,
    itemStyle: call.reliable ? { color: tint, opacity: 0.75 } : { color: "transparent", borderColor: tint, borderWidth: 2 },
    label: named.includes(call) ? { show: true, formatter: () => String(call.index + 1), position: size > 24 ? "inside" : "right", color: color("text"), fontSize: 12, textBorderColor: color("panel"), textBorderWidth: 3 } : { show: false },
  };
}

function callTip(call) {
  return [
    `${call.index + 1}. ${call.operator}`, call.arguments,
    `${call.count} x ${timeText(call)} = ${seconds(call.total)}, ${percent(call.share)} of the sum`,
    `${amount(call.flop_rate, "FLOP/s")}, ${bytes(call.byte_rate)}/s`,
    call.peak_fraction === null ? "" : `${roofShare(call.peak_fraction)} of the roof, bound by ${call.bound}`,
    call.warnings ? `${call.status}: ${call.warnings}` : "",
  ].filter(Boolean).map((line) => short(line, 100)).join("\n");
}
