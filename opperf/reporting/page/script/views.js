/* Puts the page together: a section a view; each is drawn when it comes near, or when idle. */

const VIEWS = [
  environmentView, forestView, sidesView, gainsView, heatmapView, scalingView, rooflineView, stripView,
  historyView, noiseView, failuresView, coverageView, rawView,
];
const SETTLED = 120; // milliseconds after the last key until charts follow the filter
