// The prompt follows the typing; bench/preview.py measures how far behind.
import { word } from "../editor/vocabulary.js";
import { ask } from "./ask.js";
import { keep, recall } from "./kept.js";
import { show } from "./report.js";

const PAUSE = 90; // milliseconds after the last key

export function startPreview(form) {
  const pane = document.querySelector("#prompt-pane");
  if (!pane) return;
  let timer;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => showNow(form), PAUSE);
  };
  form.addEventListener("input", later);
  form.addEventListener("change", later);
  pane.addEventListener("input", (event) => {
    rememberOptions(pane);
    showOwn(pane);
    if (!event.target.matches("[data-local]")) later();
  });
  pane.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target === pane) controlsArrived(pane, form);
  });
}

async function showNow(form) {
  const output = document.querySelector("#prompt-output");
  if (!output) return;
  try {
    const answer = await ask(form, output);
    if (!answer) return;
    if (answer.html !== undefined) output.innerHTML = answer.html;
    show(form, answer.report);
  } catch {
    show(form, { held: true, errors: [{ label: "", where: "", path: "", message: word("noAnswer") }], findings: [] });
  }
}

/** The controls come with the first answer: give them what this browser remembers, and render again if it differs. */
function controlsArrived(pane, form) {
  const kept = recall("preview-options") ?? {};
  let differs = false;
  for (const control of pane.querySelectorAll("[name^='o.'], [data-local]")) {
    const value = kept[control.name];
    if (value === undefined || value === valueOf(control)) continue;
    if (control.matches("select") && ![...control.options].some((option) => option.value === value)) continue;
    setValue(control, value);
    differs ||= !control.matches("[data-local]");
  }
  showOwn(pane);
  showMarks(pane);
  if (differs) showNow(form);
}

function rememberOptions(pane) {
  const kept = {};
  for (const control of pane.querySelectorAll("[name^='o.'], [data-local]")) {
    if (control.type === "radio" && !control.checked) continue;
    kept[control.name] = valueOf(control);
  }
  keep("preview-options", kept);
  showMarks(pane);
}

function showOwn(pane) {
  const own = pane.querySelector("[data-own]");
  if (own) own.hidden = pane.querySelector("[name='o.sample']").value !== "own";
}

function showMarks(pane) {
  const marks = pane.querySelector("[name='marks']");
  if (marks) document.querySelector(".bench").classList.toggle("marks", marks.checked);
}

const valueOf = (control) => (control.type === "checkbox" ? control.checked : control.value);

function setValue(control, value) {
  if (control.type === "checkbox") control.checked = value;
  else if (control.type === "radio") control.checked = control.value === value;
  else control.value = value;
}
