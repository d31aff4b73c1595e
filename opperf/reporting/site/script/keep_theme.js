/* The theme that was chosen holds on every page of the site, where the browser keeps it. */

const THEME = "opperf-theme";

/** Return what a use of the browser's store returns, null where it has none for files. */
function stored(use) {
  try {
    return use(localStorage);
  } catch {
    return null;
  }
}

const keptTheme = stored((store) => store.getItem(THEME));
if (["light", "dark"].includes(keptTheme)) setTheme(keptTheme);
document.getElementById("theme").addEventListener("click", () =>
  stored((store) => store.setItem(THEME, document.documentElement.dataset.theme)));
