// Replaces the changing part of a page instead of loading the page anew. Without this script the form is sent as usual.
"use strict";

const form = document.querySelector("form[data-live]");
const live = document.getElementById("live");
const statusLine = document.getElementById("status");
// Milliseconds without a key before a text is sent: none if nothing is under way, so that a single key is answered at
// once; more if a key overtakes a request, so that fast typing does not send a request per key.
const PAUSE = 30;
let timer = 0;
let running = null;

function sayStatus() {
  const line = live.querySelector("[data-status]");
  if (statusLine && line) statusLine.textContent = line.textContent.trim();
}

function prepare() {
  for (const button of live.querySelectorAll("[data-copy]")) button.hidden = false;
  if (statusLine) {
    statusLine.classList.add("hidden");
  }
  document.dispatchEvent(new CustomEvent("live"));
}

function sameControl(before) {
  if (!before || !before.name) return null;
  return [...live.querySelectorAll("button")].find(
    (button) => button.name === before.name && button.value === before.value);
}

async function refresh(submitter) {
  clearTimeout(timer);
  if (running) running.abort();
  const mine = new AbortController();
  running = mine;
  const focused = live.contains(document.activeElement) ? document.activeElement : null;
  const data = new FormData(form);
  if (submitter && submitter.name) {
    if (submitter.name === "why") data.delete("why");
    data.append(submitter.name, submitter.value);
  }
  live.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(data),
      headers: { "X-Fragment": "1", Accept: "text/html" },
      signal: mine.signal,
    });
    const text = await response.text();
    if (!response.ok) {
      const page = new DOMParser().parseFromString(text, "text/html");
      const problem = page.querySelector(".problem");
      live.replaceChildren(problem || "The service does not answer.");
    } else {
      live.innerHTML = text;
      const address = response.headers.get("X-Address");
      if (address) history.replaceState(null, "", address);
    }
    if (running === mine) running = null;
    live.removeAttribute("aria-busy");
    prepare();
    sayStatus();
    const title = document.getElementById("why-title");
    if (submitter && submitter.name === "why" && title) title.focus();
    else if (focused) (sameControl(focused) || live.querySelector("button") || form).focus();
  } catch (error) {
    if (error.name === "AbortError") return;
    if (running === mine) running = null;
    live.removeAttribute("aria-busy");
    live.textContent = "The service cannot be reached. Your text is still in the form.";
  }
}

if (form && live) {
  form.addEventListener("submit", (event) => {
    const submitter = event.submitter;
    if (submitter && submitter.hasAttribute("formaction")) return;
    event.preventDefault();
    refresh(submitter);
  });
  if (form.dataset.live !== "submit") {
    form.addEventListener("input", (event) => {
      const output = form.querySelector(`output[for="${event.target.id}"]`);
      if (output) output.textContent = event.target.value;
      clearTimeout(timer);
      timer = setTimeout(refresh, running ? PAUSE : 0);
    });
  }
  document.addEventListener("keydown", (event) => {
    const close = live.querySelector('button[name="close"]');
    if (event.key === "Escape" && close) refresh(close);
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) refresh(null);
  });
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    await navigator.clipboard.writeText(button.dataset.copy);
    if (statusLine) statusLine.textContent = "Copied.";
    button.textContent = "Copied";
  });
  prepare();
}
