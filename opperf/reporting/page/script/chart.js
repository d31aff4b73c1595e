/* A chart of Apache ECharts in a figure. Its tooltips are drawn, not written as HTML. */

const charts = [];

/** Return {node, draw(option, {height, label, note})}: without an option there is only the note. */
function chart() {
  const host = element("div", { class: "chart", role: "img" });
  const caption = element("figcaption");
  const node = element("figure", {}, host, caption);
  let drawn = null;
  charts.push(() => drawn && drawn.resize());
  function draw(option, { height = 420, label = "", note = "" } = {}) {
    host.hidden = !option;
    caption.textContent = note;
    if (!option) return;
    host.style.height = `${height}px`;
    host.setAttribute("aria-label", label);
    drawn = drawn || echarts.init(host, null, { renderer: "canvas" });
    drawn.resize();
    drawn.setOption({ ...common(), ...option }, { notMerge: true });
    drawn.getZr().flush();
  }
  return { node, draw };
}

addEventListener("resize", () => charts.forEach((resize) => resize()));
addEventListener("beforeprint", () => charts.forEach((resize) => resize()));

const font = () => ({ color: color("text"), fontFamily: "system-ui, 'DejaVu Sans', sans-serif" });

function common() {
  return {
    animation: false,
    textStyle: font(),
    tooltip: tip(),
    grid: { left: 16, right: 24, top: 44, bottom: 16, outerBoundsMode: "same", outerBoundsContain: "all" },
  };
}

function tip(formatter) {
  return {
    trigger: "item", renderMode: "richText", confine: true, formatter,
    backgroundColor: color("panel"), borderColor: color("muted"), textStyle: { ...font(), fontSize: 12 },
  };
}

const legend = (more = {}) => ({ top: 4, left: "center", itemWidth: 18, itemHeight: 11, itemGap: 18, textStyle: font(), ...more });

/** Whether the window is a telephone's; pixels. */
const isNarrow = () => innerWidth < 640;

/** The names of rows: all of them, in no more than the room that leaves a telephone a chart. */
const rowNames = () => ({ color: color("text"), interval: 0, width: Math.floor(Math.min(0.4 * innerWidth, 380)), overflow: "truncate" });

/** An axis with its name beside its middle, on a telephone with its unit below; `format` writes its labels. */
function axis(type, name, format, more = {}) {
  return {
    type, name: isNarrow() ? name.replace(" (", "\n(") : name, nameLocation: "middle", nameGap: 30, nameTextStyle: { ...font(), color: color("muted"), lineHeight: 15 },
    axisLabel: { color: color("muted"), formatter: type === "category" ? format : trimmed(format), hideOverlap: true, ...more.axisLabel },
    axisLine: { lineStyle: { color: color("muted") } },
    splitLine: { lineStyle: { color: color("line") } },
    minorSplitLine: { show: false },
    ...Object.fromEntries(Object.entries(more).filter(([key]) => key !== "axisLabel")),
  };
}

/** Return the powers of ten around the values, so that no point lies on the edge. */
function decades(values) {
  const logs = values.filter((value) => value > 0).map(Math.log10);
  const low = Math.floor(Math.min(...logs) - 0.02), high = Math.ceil(Math.max(...logs) + 0.02);
  return { min: 10 ** low, max: 10 ** high };
}
const logAxis = (name, format, values, more = {}) =>
  axis("log", name, onlyPowers(format), { ...decades(values), ...more });

/** A straight line that says something: a limit, a peak, a change. */
const rule = (place, text, tint, position = "insideEndTop") => ({
  ...place, symbol: "none", lineStyle: { color: tint, type: "dashed", width: 1.5 },
  label: { show: Boolean(text), formatter: () => text, position, ...font(), backgroundColor: color("panel"), padding: [1, 4] },
});

/** Such lines of a series; its values are small, and ECharts rounds to two places unless told. */
const rules = (...lines) => ({ silent: true, symbol: "none", precision: -1, data: lines });
