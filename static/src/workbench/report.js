// What the server says about the unsaved document: errors at their place, summaries of closed sections, the state in words.
import { goTo, underline } from "../editor/editor.js";
import { word } from "../editor/vocabulary.js";
import { reveal } from "./panes.js";

export function startReport(form) {
  document.body.addEventListener("preview-report", (event) => show(form, event.detail));
  document.body.addEventListener("click", (event) => {
    const link = event.target.closest("[data-go]");
    if (!link) return;
    event.preventDefault();
    goToPath(form, link.dataset.go, Number(link.dataset.line) || undefined, Number(link.dataset.column) || undefined);
  });
}

/** Show the field that a path of the document belongs to: `tools.item`, `stopStrings.2`, `tests[0].expected`. */
export function goToPath(form, path, line, column) {
  const area = fieldOf(form, path);
  if (!area) return;
  reveal("edit");
  for (let box = area.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  requestAnimationFrame(() => goTo(area, line, column)); // after the section's editors are made
}

/** Show a report of the server: `held` says that the prompt on the page is the last good one. */
export function show(form, report) {
  const pane = document.querySelector("#prompt-pane");
  const was = pane.classList.contains("held");
  pane.classList.toggle("held", report.held);
  if (was !== report.held) say(report.held ? word("held") : word("follows"));
  const banner = pane.querySelector("[data-held]");
  if (banner) banner.hidden = !report.held;
  markFields(form, [...report.errors, ...report.findings]);
  for (const [id, text] of Object.entries(report.summaries ?? {})) {
    const sum = form.querySelector(`#section-${id} .sum`);
    if (sum) sum.textContent = text;
  }
  const held = pane.querySelector("[data-held-list]");
  if (held) held.replaceChildren(...report.errors.map((error) => heldRow(error)));
}

function markFields(form, notes) {
  const byArea = new Map();
  for (const note of notes) {
    const area = fieldOf(form, note.path);
    if (area) byArea.set(area, [...(byArea.get(area) ?? []), note]);
  }
  for (const area of form.querySelectorAll("[data-path]")) {
    const here = byArea.get(area) ?? [];
    const errors = here.filter((note) => note.severity === "error");
    underline(area, here);
    area.setAttribute("aria-invalid", String(errors.length > 0));
    const field = area.closest(".field");
    field?.classList.toggle("bad", errors.length > 0);
    field?.querySelector("[data-messages]")?.replaceChildren(...here.map(messageLine));
  }
}

function messageLine(note) {
  const line = document.createElement("p");
  line.className = `msg ${note.severity === "error" ? "error" : "warn"}`;
  const where = document.createElement("strong");
  where.textContent = note.where;
  const what = document.createElement("span");
  what.textContent = note.message;
  line.append(where, what);
  return line;
}

function heldRow(error) {
  const row = document.createElement("p");
  const text = document.createElement("span");
  const place = [error.label, error.where].filter(Boolean).join(" · ");
  text.textContent = place ? `${place}: ${error.message}` : error.message;
  row.append(text);
  if (!error.path) return row;
  const link = document.createElement("a");
  link.href = "#editor";
  link.dataset.go = error.path;
  if (error.line) link.dataset.line = error.line;
  if (error.column) link.dataset.column = error.column;
  link.textContent = word("goThere");
  row.append(link);
  return row;
}

function fieldOf(form, path) {
  const steps = (path ?? "").replace(/^(document|format)\./, "").split(/[.[\]/]+/).filter(Boolean);
  while (steps.length) {
    const found = form.querySelector(`[data-path="${CSS.escape(steps.join("."))}"]`);
    if (found) return found;
    steps.pop();
  }
  return undefined;
}

function say(text) {
  document.querySelector("#preview-status").textContent = text;
}
