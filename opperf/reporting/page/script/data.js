"use strict";
/* The report's data: plain JSON from a block that is never executed. */

const report = JSON.parse(document.getElementById("report").textContent);

/** The results as objects, in the order of the run; `row.index` is the place in it. */
const results = readResults(report.results);
const frameworks = report.frameworks || [];

function readResults(columns) {
  if (!columns) return [];
  const rows = columns.samples.map((samples, index) => ({ index, samples }));
  for (const [name, [texts, codes]] of Object.entries(columns.texts))
    codes.forEach((code, index) => { rows[index][name] = code === null ? null : texts[code]; });
  for (const [name, values] of Object.entries(columns.numbers))
    values.forEach((value, index) => { rows[index][name] = value; });
  return rows;
}

/** Why a view of a run's results has no place on a page of something else; null on a run's. */
const ofRun = () => (report.results ? null : "of one run (opperf report RUN)");

const TIMED = ["ok", "noisy"];
const isDoubtful = (row) => isTimed(row) && !row.reliable;
const isTimed = (row) => TIMED.includes(row.status) && row.seconds > 0;

/** One job in one framework's words: what is equal for the same work on another framework. */
const jobOf = (row) => `${row.label} ${row.inputs}`;

/** What a filter looks at. */
const searched = (row) => [
  row.label, row.operator, row.category, row.framework, row.direction, row.size, row.inputs,
  row.status, row.warnings, row.verdict, row.arm,
].filter(Boolean).join(" ").toLowerCase();

/** Return the rows in which each word of the text occurs. */
function filtered(rows, texts, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length ? rows.filter((_, at) => words.every((word) => texts[at].includes(word))) : rows;
}

/** Return a map from a key to the items that have it, in order of appearance. */
function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

const distinct = (values) => [...new Set(values)];

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
