/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One call per figure of the page. */
function pcbFigure(figure) {
  const far = 40; // the largest distance to the pointer, in pixels
  const svg = figure.querySelector("svg");
  for (const title of svg.querySelectorAll("title")) title.remove();
  const value = figure.querySelector(".pcb-value");
  const list = figure.querySelector(".pcb-curves");
  const data = figure.querySelector(".pcb-data"), d = data.dataset;
  const high = svg.viewBox.baseVal.height;
  const hidden = new Set(), marks = [];
  // The place of a value on an axis between two places.
  function place(v, from, to, low, high, log) {
    const part = log > 0 ? Math.log(v / low) / Math.log(high / low)
      : (v - low) / (high - low);
    return from + part * (to - from);
  }
  const boxes = d.boxes.split(";").map(b => b.split(" ").map(Number));
  for (const e of data.querySelectorAll("i")) {
    const [panel, look, x, y, to] = e.dataset.at.split(" ").map(Number);
    const b = boxes[panel];
    const at = v => place(v, b[0], b[1], b[4], b[5], b[8]);
    const py = high - place(y, b[2], b[3], b[6], b[7], b[9]);
    const px = at(x), end = to === undefined ? px : at(to);
    if (!(Math.max(px, end) >= b[0] - 1 && Math.min(px, end) <= b[1] + 1))
      continue;
    marks.push({ look, y: py, x: [Math.min(px, end), Math.max(px, end)],
      text: [...e.childNodes].map(t => t.textContent).filter(t => t)
        .join("\n") });
  }
  const colours = d.colours.split(" "), inks = d.inks.split(" ");
  function hex(e) {
    const own = ["fill", "stroke", "color"].map(a => e.getAttribute(a));
    const text = own.find(c => /^(rgb|#)/.test(c || "")) || "";
    const rgb = text.match(/\d+/g) || [];
    return text[0] == "#" ? text.toUpperCase() : "#" + rgb.map(v =>
        (+v).toString(16).padStart(2, "0")).join("").toUpperCase();
  }
  function show(look, shown) {
    if (shown) hidden.delete(look);
    else hidden.add(look);
    const mine = [colours[look - 1], inks[look - 1]];
    for (const e of svg.querySelectorAll("path, use, polygon, text")) {
      let at = e;
      while (at != svg && hex(at) == "#") at = at.parentNode;
      if (at != svg && mine.includes(hex(at)))
        e.style.display = shown ? "" : "none";
    }
  }
  for (const b of data.querySelectorAll("b")) {
    const look = Number(b.dataset.look);
    const button = document.createElement("button");
    const line = document.createElement("i");
    line.style.background = colours[look - 1];
    button.append(line, b.textContent);
    button.setAttribute("aria-pressed", true);
    button.onclick = () => {
      const shown = hidden.has(look);
      button.setAttribute("aria-pressed", shown);
      show(look, shown);
    };
    list.append(button);
  }
  svg.insertAdjacentHTML("beforeend", '<circle r="5" fill="none" ' +
    'stroke="#000" style="display:none"/>');
  const ring = svg.lastElementChild;
  function inside(event) {
    return new DOMPoint(event.clientX, event.clientY)
.matrixTransform(svg.getScreenCTM().inverse());
  }
  function nearest(x, y) {
    let best = null, least = far * far;
    for (const m of marks) {
      const px = Math.max(m.x[0], Math.min(x, m.x[1]));
      const distance = (px - x) ** 2 + (m.y - y) ** 2;
      // SVG rounds: of marks at one place the last one is on top.
      if (distance > least + .1 || hidden.has(m.look)) continue;
      least = distance;
      best = { text: m.text, x: px, y: m.y };
    }
    return best;
  }
  function move(event) {
    const at = inside(event), found = nearest(at.x, at.y);
    value.textContent = found ? found.text : "";
    ring.style.display = found ? "" : "none";
    if (!found) return;
    ring.setAttribute("cx", found.x);
    ring.setAttribute("cy", found.y);
    const frame = figure.getBoundingClientRect();
    value.style.left = Math.max(0, Math.min(event.clientX - frame.left +
        14, frame.width - value.offsetWidth)) + "px";
    value.style.top = event.clientY - frame.top + 16 + "px";
  }
  svg.addEventListener("pointerdown", move);
  svg.addEventListener("pointermove", move);
  svg.addEventListener("pointerleave", () => {
    value.textContent = "";
    ring.style.display = "none";
  });
}
document.querySelectorAll(".pcb-figure").forEach(pcbFigure);
