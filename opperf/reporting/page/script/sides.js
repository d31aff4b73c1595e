/* Frameworks side by side: the ratio of each to the first, and what is within the noise. */

const JUDGEMENTS = {
  apart: "differ significantly", unreliable: "a time is not to be relied on", "in noise": "within noise", "not comparable": "not comparable",
};

const pairs = (report.pairs || []).map(([a, b, ratio, low, high, judgement]) => ({
  a: results[a], b: results[b], ratio, interval: usable(low && high ? [low, high] : null), judgement,
}));

const isReliablePair = (pair) => ["apart", "in noise"].includes(pair.judgement);

const sidesView = {
  id: "sides", title: "Frameworks side by side",
  lead: "Time of one framework over that of the first, on the same inputs; left of 1 it takes less "
    + "time. Whiskers: the range by both 95 % intervals, within these processes. Hollow: the two are "
    + "within the noise: intervals overlap, or the ratio lies in the band, by which two processes of "
    + "the same code differ. Pale, where shown: a time is not to be relied on.",
  absent: () => ofRun() || (pairs.length ? null : "no two frameworks have a time for the same work"),
  build(body) {
    const picture = chart();
    const direction = choice("Direction", () => refresh());
    const order = choice("Order", () => { pages.first(); refresh(); });
    order.offer(["furthest from 1 first", "as measured"]);
    const which = choice("Pairs", () => { pages.first(); refresh(); });
    which.offer(["reliable", "all"]);
    const pages = pager(40, "pairs", () => refresh());
    let rows = results;
    const folded = foldedTable("The same as a table", () => table("Ratios", ratioColumns, chosen()));
    body.append(controls(direction, order, which, pages), picture.node, folded.node);

    function met() {
      const kept = new Set(rows);
      return pairs.filter((pair) => (kept.has(pair.a) || kept.has(pair.b))
        && (direction.value() === "all" || pair.a.direction === direction.value()));
    }
    function chosen() {
      const found = which.value() === "all" ? met() : met().filter(isReliablePair);
      return order.value() === "as measured" ? found
        : found.sort((one, other) => isReliablePair(other) - isReliablePair(one)
          || Math.abs(Math.log(other.ratio)) - Math.abs(Math.log(one.ratio)));
    }
    function leftOutNote() {
      const without = met().length - chosen().length;
      return without ? `${without} pairs are left out: a time is not to be relied on, or the two mean different things.` : "";
    }
    function refresh(next = rows) {
      rows = next;
      direction.offer([["all", "all directions"], ...distinct(pairs.map((pair) => pair.a.direction))]);
      const items = pages.slice(chosen()).map(pairItem);
      picture.draw(items.length ? intervalChart(items, sidesAxis()) : null, {
        height: intervalHeight(items),
        label: `Ratios of ${items.length} pairs on a logarithmic axis with their ranges; the table below has the numbers.`,
        note: [items.length ? "" : "No pair is left.", leftOutNote()].filter(Boolean).join(" "),
      });
      folded.refresh();
    }
    return refresh;
  },
};

const ratioColumns = [
  { title: "operator", cell: (pair) => pair.a.label },
  { title: "inputs", cell: (pair) => pair.a.inputs },
  { title: "direction", cell: (pair) => pair.a.direction },
  { title: "first", number: true, cell: (pair) => `${pair.a.framework} ${seconds(pair.a.seconds)}` },
  { title: "other", number: true, cell: (pair) => `${pair.b.framework} ${seconds(pair.b.seconds)}` },
  { title: "ratio", number: true, cell: (pair) => factor(pair.ratio) },
  { title: "range", number: true, cell: (pair) => range(pair.interval) },
  { title: "judgement", cell: (pair) => JUDGEMENTS[pair.judgement] },
];

function pairItem(pair) {
  return {
    ratio: pair.ratio, interval: pair.interval,
    kind: kindOf(pair),
    label: `${short(pair.a.label, 30)} ${pair.a.direction} ${pair.a.inputs}`,
    tip: [
      `${pair.a.label} ${pair.a.direction} ${pair.a.inputs}`,
      ...[pair.a, pair.b].map((row) => `${row.framework} ${seconds(row.seconds)} ${spread(row.precision)}`),
      `ratio ${factor(pair.ratio)} ${range(pair.interval)}: ${JUDGEMENTS[pair.judgement]}`,
    ].map((line) => short(line, 100)).join("\n"),
  };
}

const kindOf = (pair) => `${pair.b.framework}: ${JUDGEMENTS[pair.judgement]}`;

function sidesAxis() {
  const kinds = distinct(pairs.map(kindOf)).sort();
  const others = frameworks.slice(1).join(", ");
  return {
    name: `time of ${others} / time of ${frameworks[0]} (no unit, logarithmic)`, band: report.band,
    kinds: kinds.map((name) => {
      const { judgement, b: { framework } } = pairs.find((found) => kindOf(found) === name);
      const tint = frameworkColor(framework);
      const fill = judgement === "apart" ? tint : judgement === "unreliable" ? `${tint}55` : color("panel");
      return { name, color: tint, symbol: frameworkShape(framework), fill };
    }),
  };
}
