// Keys on the page of an item: a digit (or y, n) answers, Enter saves, b goes back. The page works without this file.
(function () {
  "use strict";
  const form = document.getElementById("answers");
  const sets = Array.from(form.querySelectorAll("fieldset"));

  function chosen(set) { return set.querySelector("input:checked"); }

  function isAsked(set) {
    if (!set.dataset.if) return true;
    const other = sets.find((one) => one.dataset.question === set.dataset.if);
    const answer = other && isAsked(other) && chosen(other);
    return Boolean(answer) && answer.value === set.dataset.value;
  }

  function update() {
    let current = null;
    for (const set of sets) {
      const asked = isAsked(set);
      set.hidden = !asked;
      set.disabled = !asked;
      if (asked && !current && !chosen(set)) current = set;
    }
    for (const set of sets) set.classList.toggle("now", set === current);
    return current;
  }

  // What a key answers: the first open question; if all are answered, the last one that is asked is changed.
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const key = event.key.toLowerCase();
    if (key === "enter" && event.target.matches("input[type=radio], body, main")) {
      event.preventDefault();
      form.requestSubmit();
      return;
    }
    if (key === "b") {
      const back = document.getElementById("back");
      if (back) { event.preventDefault(); back.click(); }
      return;
    }
    const focused = document.activeElement && document.activeElement.closest("fieldset");
    const asked = sets.filter(isAsked);
    const set = update() || (asked.includes(focused) ? focused : asked[asked.length - 1]);
    const values = Array.from(set.querySelectorAll("input"), (input) => input.value);
    const binary = values.join() === "0,1";
    const value = binary && key === "y" ? "1" : binary && key === "n" ? "0" : key;
    if (!values.includes(value)) return;
    event.preventDefault();
    const input = set.querySelector('input[value="' + value + '"]');
    input.checked = true;
    input.focus();
    // One question: its key saves at once. Several: Enter saves when all are answered.
    if (!update() && sets.length === 1) form.requestSubmit();
  });
  form.addEventListener("change", update);
  form.addEventListener("submit", function () {
    window.setTimeout(function () { form.querySelector("button").disabled = true; }, 0);
  });
  window.addEventListener("pageshow", function () { form.querySelector("button").disabled = false; });
  update();
  document.documentElement.dataset.ready = "1";
})();
