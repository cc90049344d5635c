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
    if (answer.html !== undefined) replace(output, answer.html);
    show(form, answer.report);
  } catch {
    show(form, { held: true, errors: [{ label: "", where: "", path: "", message: word("noAnswer") }], findings: [] });
  }
}

/** Put the new prompt in the place of the old one: what was open stays open, and the eye stays where it was. */
function replace(output, html) {
  const was = output.querySelector("[data-prompt]");
  const top = was?.scrollTop ?? 0;
  const isAtEnd = was !== null && was.scrollHeight - was.scrollTop - was.clientHeight < 8;
  const open = [...output.querySelectorAll("details[open][data-keep]")].map((one) => one.dataset.keep);
  output.innerHTML = html;
  for (const name of open) output.querySelector(`details[data-keep="${name}"]`)?.setAttribute("open", "");
  if (isAtEnd) showEnd(output);
  else output.querySelector("[data-prompt]")?.scrollTo({ top, behavior: "instant" });
}

/** A chat is read from its end. */
function showEnd(output) {
  const prompt = output.querySelector("[data-prompt]");
  if (prompt && output.dataset.end !== undefined) prompt.scrollTop = prompt.scrollHeight;
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
  showEnd(pane.querySelector("#prompt-output"));
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
