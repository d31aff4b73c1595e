/* Quantities as people write them; the data has seconds, bytes and FLOP only. */

const MISSING = "\u2013";
const SECONDS = [[1e-9, "ns"], [1e-6, "us"], [1e-3, "ms"], [1, "s"]];
const PREFIXES = [[1, ""], [1e3, "k"], [1e6, "M"], [1e9, "G"], [1e12, "T"], [1e15, "P"]];

const seconds = (value) => scaled(value, SECONDS, "");
const bytes = (value) => scaled(value, PREFIXES, "B");
const amount = (value, unit) => scaled(value, PREFIXES, unit);
const PARTS = [[1e-9, "n"], [1e-6, "u"], [1e-3, "m"]];
/** A metric's value in its unit; "1" is that of counts and shares. */
const inUnit = (value, unit) => {
  if (unit === "s") return seconds(value);
  return unit === "1" || unit === "B" ? amount(value, unit === "B" ? "B" : "") : scaled(value, [...PARTS, ...PREFIXES], unit);
};

function scaled(value, units, unit) {
  if (value === null || value === undefined) return MISSING;
  if (value === 0) return `0 ${unit || units[units.length - 1][1]}`.trim();
  const fitting = units.filter(([size]) => Math.abs(value) >= size * 0.9995);
  const [size, prefix] = fitting.length ? fitting[fitting.length - 1] : units[0];
  return `${digits(value / size)} ${prefix}${unit}`.trim();
}

/** Return three significant digits, without an exponent where that is short. */
function digits(value) {
  const text = value.toPrecision(3);
  return text.includes("e") ? String(Number(text)) : text;
}

const percent = (share, places = 1) => `${(share * 100).toFixed(places)} %`;
const roofShare = (share) => percent(share, share < 0.095 ? 1 : 0);
const spread = (share) => (share === null ? "\u00b1?" : `\u00b1${percent(share)}`);
/** A ratio in which a change of a thousandth shows. */
const exact = (value) => (value === null ? MISSING : value >= 0.1 && value < 10 ? value.toFixed(3) : digits(value));
const factor = (value) => (value === null ? MISSING : digits(value));
/** Ends that are further apart than a factor of ten say nothing, and would flatten a chart. */
const usable = (ends) => (ends && ends[0] > 0 && ends[1] <= 10 * ends[0] ? ends : null);
const ABSURD = "> 10x";
const range = (ends) => (ends ? `[${digits(ends[0])}, ${digits(ends[1])}]` : MISSING);

/** The same without zeros at the end of a number, as labels of an axis want it: "10 ms". */
const trimmed = (format) => (value) =>
  String(format(value)).replace(/(\.\d*?)0+(?!\d)/, "$1").replace(/\.(?!\d)/, "");

/** Ticks of a log axis: powers of ten only, so that they never crowd. */
const onlyPowers = (format) => (value) =>
  Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-6 ? format(value) : "";

function short(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}\u2026` : text;
}

/** Return the codes of warnings as a list. */
const noted = (codes) => codes.split(" ").join(", ");

/** Return "out of memory" for out_of_memory. */
const words = (name) => name.replaceAll("_", " ");
