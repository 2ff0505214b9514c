// Marks the partners of a word: by pointer, by keyboard, or by touch.
"use strict";

function partsOf(word) {
  const own = [...word.classList].find((name) => /^[st]\d+$/.test(name));
  const picture = word.closest(".alignment");
  const lines = [...picture.querySelectorAll(`.link.${own}`)];
  const names = lines.map((line) => [...line.classList].find((name) => /^[st]\d+$/.test(name) && name !== own));
  return [word, ...lines, ...names.map((name) => picture.querySelector(`.word.${name}`))];
}

function choose(word) {
  const picture = word.closest(".alignment");
  clear(picture);
  picture.classList.add("has-choice");
  for (const part of partsOf(word)) part.classList.add("chosen");
}

function clear(picture) {
  picture.classList.remove("has-choice");
  for (const part of picture.querySelectorAll(".chosen")) part.classList.remove("chosen");
}

function setUp() {
  for (const picture of document.querySelectorAll(".alignment")) {
    const svg = picture.querySelector("svg");
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", "Word alignment");
    for (const word of picture.querySelectorAll(".word")) {
      word.setAttribute("tabindex", "0");
      word.setAttribute("role", "button");
      const partners = partsOf(word).slice(1).filter((part) => part.classList.contains("word"));
      const names = partners.map((part) => part.textContent).join(", ");
      word.setAttribute("aria-label", `${word.textContent}: ${names || "no partner"}`);
      for (const name of ["pointerenter", "focus", "click"]) word.addEventListener(name, () => choose(word));
      for (const name of ["pointerleave", "blur"]) word.addEventListener(name, () => clear(picture));
    }
  }
}

document.addEventListener("live", setUp);
setUp();
