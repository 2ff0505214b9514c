// Zoom with buttons, keys (+, −, 0) or Ctrl and the wheel; pan by scrolling or dragging; press a label to use it.
"use strict";

function scaleTo(box, factor) {
  const svg = box.querySelector("svg");
  if (!svg.dataset.width) {
    svg.dataset.width = svg.getBoundingClientRect().width;
    svg.dataset.height = svg.getBoundingClientRect().height;
  }
  const scale = Math.min(8, Math.max(0.2, factor));
  box.dataset.scale = scale;
  svg.setAttribute("width", svg.dataset.width * scale);
  svg.setAttribute("height", svg.dataset.height * scale);
}

function zoom(box, by) {
  scaleTo(box, by === 0 ? 1 : (Number(box.dataset.scale) || 1) * by);
}

function zoomButtons(box) {
  const bar = document.createElement("div");
  bar.className = "zoom";
  for (const [name, sign, by] of [["Zoom in", "+", 1.25], ["Zoom out", "−", 0.8], ["Original size", "1:1", 0]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", () => zoom(box, by));
    bar.append(button);
  }
  box.prepend(bar);
}

function pick(label) {
  const words = label.dataset.words;
  const button = [...document.querySelectorAll('button[name="pick"]')].find((one) => one.value === words);
  const line = document.querySelector("[data-picked]");
  if (line) {
    line.textContent = label.querySelector("title").textContent + " ";
    if (button) {
      const use = button.cloneNode(false);
      use.textContent = `Use “${words}” in a rewrite`;
      line.append(use);
    }
  }
}

function labels(box) {
  for (const label of box.querySelectorAll("text.label")) {
    const tip = label.querySelector("title");
    if (!tip) continue;
    label.dataset.words = tip.textContent.split(" · ")[0];
    label.setAttribute("tabindex", "0");
    label.setAttribute("role", "button");
    label.setAttribute("aria-label", tip.textContent);
    label.addEventListener("click", () => pick(label));
    label.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        pick(label);
      }
    });
  }
  if (box.querySelector("text.label")) {
    const svg = box.querySelector("svg");
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", "Lattice");
  }
}

function drag(box) {
  let from = null;
  box.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && !event.target.closest("button, .label")) {
      from = [event.clientX + box.scrollLeft, event.clientY + box.scrollTop];
    }
  });
  box.addEventListener("pointermove", (event) => {
    if (from) box.scrollTo(from[0] - event.clientX, from[1] - event.clientY);
  });
  for (const name of ["pointerup", "pointerleave"]) box.addEventListener(name, () => { from = null; });
}

function setUp() {
  for (const box of document.querySelectorAll("[data-picture]:not([data-scale])")) {
    box.dataset.scale = 1;
    zoomButtons(box);
    labels(box);
    drag(box);
    box.addEventListener("keydown", (event) => {
      if (event.key === "+" || event.key === "=") zoom(box, 1.25);
      else if (event.key === "-") zoom(box, 0.8);
      else if (event.key === "0") zoom(box, 0);
    });
    box.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(box, event.deltaY < 0 ? 1.1 : 0.9);
    }, { passive: false });
  }
}

document.addEventListener("live", setUp);
setUp();
