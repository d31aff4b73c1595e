/* Light and dark. Charts take their colors from the style sheet, so there is one list of them. */

const themed = [];
/** Have a function called when the theme has changed. */
const onTheme = (redraw) => themed.push(redraw);
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  const button = document.getElementById("theme");
  button.textContent = name === "dark" ? "Light" : "Dark";
  button.setAttribute("aria-pressed", String(name === "dark"));
  hatches.clear();
  themed.forEach((redraw) => redraw());
}

function startTheme() {
  const button = document.getElementById("theme");
  const current = () => document.documentElement.dataset.theme;
  button.addEventListener("click", () => setTheme(current() === "dark" ? "light" : "dark"));
  let before = "light";
  addEventListener("beforeprint", () => { before = current(); setTheme("light"); });
  addEventListener("afterprint", () => setTheme(before));
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

const hatches = new Map();

/** What is missing is hatched, so that it is never taken for a small number. */
function hatch() {
  if (!hatches.has("tile")) {
    const tile = element("canvas", { width: 8, height: 8 });
    const pen = tile.getContext("2d");
    pen.strokeStyle = color("hatch");
    pen.beginPath();
    for (const shift of [-8, 0, 8]) { pen.moveTo(shift, 8); pen.lineTo(shift + 8, 0); }
    pen.stroke();
    hatches.set("tile", { image: tile, repeat: "repeat" });
  }
  return hatches.get("tile");
}

const SHAPES = ["circle", "diamond", "rect", "triangle", "pin"];
const frameworkColor = (name) => color(`series-${(Math.max(frameworks.indexOf(name), 0) % 5) + 1}`);
const frameworkShape = (name) => SHAPES[Math.max(frameworks.indexOf(name), 0) % SHAPES.length];
