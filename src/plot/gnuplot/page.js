/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One call per figure of the page. Positions on an axis are computed as in */
/* axis_position; `far` is the largest distance to the pointer, in pixels. */
function pcbFigure(figure) {
  const far = 40;
  const svg = figure.querySelector("svg");
  for (const title of svg.querySelectorAll("title")) title.remove();
  const value = figure.querySelector(".pcb-value");
  const list = figure.querySelector(".pcb-curves");
  const whole = svg.viewBox.baseVal;
  const size = [whole.x, whole.y, whole.width, whole.height];
  const groups = [...svg.querySelectorAll("g[id^=gnuplot_plot_]")];
  const panels = [...figure.querySelectorAll(".pcb-panel")];
  const curves = [];
  function axis(text) {
    const [unit, min, max, log, body, part] =
        text.split(" ").map(Number);
    return v => {
      v /= unit;
      if (body && v > body)
        return part + (1 - part) * Math.log(v / body) /
            Math.log(max / body);
      if (body) return part * (v - min) / (body - min);
      if (log) return Math.log(v / min) / Math.log(max / min);
      return (v - min) / (max - min);
    };
  }
  function marks(block) {
    const parts = block.textContent.split(/\n\s*\n/)
      .map(part => part.trim().split("\n")
        .map(line => line.trim().split(" ").map(Number))
        .filter(p => p.length >= 2))
      .filter(part => part.length);
    const says = block.dataset.says?.split("\n");
    const list = says?.length == parts.length ? parts
      : parts.flat().map(p => [p]);
    return list.map((points, i) => ({ points, text: says?.[i] }));
  }
  for (const panel of panels) {
    const d = panel.dataset, x = axis(d.xAxis), y = axis(d.yAxis);
    const [left, right, low, high] = d.box.split(" ").map(Number);
    const rows = d.rows ? d.rows.split("\n") : null;
    const columns = d.columns ? d.columns.split("\n") : null;
    for (const block of panel.querySelectorAll(".pcb-curve")) {
      const list = block.dataset.silent ? [] : marks(block);
      for (const mark of list) {
        const px = mark.points.map(p =>
            left + (right - left) * x(p[0]));
        const py = mark.points.map(p => size[3] - (rows
            ? high - (high - low) * (p[1] - .5) / rows.length
            : low + (high - low) * y(p[1])));
        // A third number is the value of a cell around the point.
        const cell = mark.points[0].length > 2 ? .5 : 0;
        const wide = cell && cell * (right - left) / columns.length;
        const tall = cell && cell * (high - low) / rows.length;
        mark.x = [Math.max(left, Math.min(...px) - wide),
          Math.min(right, Math.max(...px) + wide)];
        mark.y = [Math.min(...py) - tall, Math.max(...py) + tall];
      }
      const points = list.filter(m => m.x[0] <= m.x[1] + 1);
      const name = block.dataset.name, colour = block.dataset.colour;
      const whole = block.dataset.whole || name;
      const curve = { points, name, whole, colour, shown: true, rows,
        columns,
        labels: [d.x, d.y].map(t => t.replace(/[)].*/, ")")),
        units: [Number(d.xAxis.split(" ")[0]),
          Number(d.yAxis.split(" ")[0])],
        group: groups[curves.length] };
      curves.push(curve);
    }
  }
  function show(curve, shown) {
    curve.shown = shown;
    if (curve.group) curve.group.style.display = shown ? "" : "none";
  }
  function draw(parent, name, attributes) {
    const e = document.createElementNS(svg.namespaceURI, name);
    for (const a in attributes) e.setAttribute(a, attributes[a]);
    parent.append(e);
    return e;
  }
  function dashes(line) {
    const wide = line.parentNode.getAttribute("stroke-width");
    const text = line.getAttribute("stroke-dasharray");
    return text ? text.split(",").map(d => 2 * d / wide) : "none";
  }
  function sample(curve, button) {
    const area = curve.group?.querySelector("polygon");
    const line = curve.group?.querySelector("path");
    const point = curve.group?.querySelector("use");
    const picture = draw(button, "svg", { viewBox: "0 0 28 12",
      fill: "none", stroke: "currentColor" });
    if (area)
      draw(picture, "rect", { y: 1, width: 28, height: 10,
        fill: area.getAttribute("fill") });
    else if (line)
      draw(picture, "path", { d: "M0,6 h28", "stroke-width": 2,
        stroke: line.getAttribute("stroke"),
        "stroke-dasharray": dashes(line) });
    if (!point) return;
    const mark = point.cloneNode();
    mark.setAttribute("transform", "translate(14,6) scale(3.6)");
    mark.setAttribute("opacity", 1);
    picture.append(mark);
  }
  for (const curve of curves) {
    if (!curve.name) continue;
    const button = document.createElement("button");
    sample(curve, button);
    button.append(curve.name);
    button.setAttribute("aria-pressed", true);
    button.onclick = () => {
      const shown = !curve.shown;
      button.setAttribute("aria-pressed", shown);
      show(curve, shown);
      for (const other of curves)
        if (!other.name && other.colour == curve.colour)
          show(other, shown);
    };
    list.append(button);
  }
  function short(number) {
    return String(Number(number.toPrecision(6)));
  }
  function mean(mark, i) {
    return mark.points.reduce((sum, p) => sum + p[i], 0) /
        mark.points.length;
  }
  function text(curve, mark) {
    const at = i => curve.labels[i] + ": " +
        short(mean(mark, i) / curve.units[i]);
    const lines = [curve.whole];
    if (curve.rows) {
      let row = Math.min(Math.round(mean(mark, 1)), curve.rows.length);
      while (row > 1 && !curve.rows[row - 1]) row--;
      lines.push(curve.rows[row - 1].trim());
    }
    if (curve.columns)
      lines.push(curve.columns[Math.round(mean(mark, 0)) - 1]);
    if (mark.text) lines.push(mark.text);
    else lines.push(...(curve.rows ? [0] : [1, 0]).map(at));
    return lines.filter(l => l).join("\n");
  }
  function nearest(x, y) {
    const into = (v, [low, high]) => Math.max(low, Math.min(v, high));
    let best = null, least = far * far;
    for (const curve of curves)
      for (const m of curve.shown ? curve.points : []) {
        const px = into(x, m.x), py = into(y, m.y);
        const d = (px - x) ** 2 + (py - y) ** 2 - (curve.name ? .5 : 0);
        // SVG rounds: of marks at one place the last one is on top.
        if (d <= least + .1) { least = d; best = [curve, m, px, py]; }
      }
    return best;
  }
  const mark = draw(svg, "circle", { r: 5, fill: "none",
    stroke: "#000" });
  mark.style.display = "none";
  function inside(event) {
    return new DOMPoint(event.clientX, event.clientY)
.matrixTransform(svg.getScreenCTM().inverse());
  }
  function move(event) {
    const at = inside(event), found = nearest(at.x, at.y);
    value.textContent = found ? text(...found) : "";
    mark.style.display = found ? "" : "none";
    if (!found) return;
    mark.setAttribute("cx", found[2]);
    mark.setAttribute("cy", found[3]);
    const frame = figure.getBoundingClientRect();
    const x = event.clientX - frame.left, wide = value.offsetWidth;
    value.style.left = Math.max(0, Math.min(x + 14,
        frame.width - wide)) + "px";
    value.style.top = event.clientY - frame.top + 16 + "px";
  }
  function zoom(factor, x, y) {
    const v = svg.viewBox.baseVal;
    const width = Math.min(v.width * factor, size[2]);
    const height = width * size[3] / size[2];
    const left = x - (x - v.x) * width / v.width;
    const top = y - (y - v.y) * height / v.height;
    v.x = Math.max(0, Math.min(left, size[2] - width));
    v.y = Math.max(0, Math.min(top, size[3] - height));
    v.width = width;
    v.height = height;
  }
  svg.addEventListener("wheel", event => {
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    const at = inside(event);
    zoom(event.deltaY > 0 ? 1.25 : .8, at.x, at.y);
  }, { passive: false });
  for (const [name, factor] of [["+", .7], ["\u2212", 1 / .7],
      ["whole", 100]]) {
    const button = document.createElement("button");
    button.textContent = name;
    button.title = "zoom";
    button.className = "pcb-zoom";
    button.onclick = () => {
      const v = svg.viewBox.baseVal;
      zoom(factor, v.x + v.width / 2, v.y + v.height / 2);
    };
    list.append(button);
  }
  let from = null;
  svg.addEventListener("pointerdown", event => {
    from = inside(event);
    move(event);
  });
  svg.addEventListener("pointermove", event => {
    const v = svg.viewBox.baseVal;
    if (from && event.buttons && v.width < size[2]) {
      const at = inside(event);
      v.x = Math.max(0, Math.min(v.x + from.x - at.x,
          size[2] - v.width));
      v.y = Math.max(0, Math.min(v.y + from.y - at.y,
          size[3] - v.height));
    }
    move(event);
  });
  svg.addEventListener("pointerleave", () => {
    value.textContent = "";
    mark.style.display = "none";
  });
}
document.querySelectorAll(".pcb-figure").forEach(pcbFigure);
