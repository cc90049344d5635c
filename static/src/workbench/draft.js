// What is typed is kept in the browser until it is saved. A draft belongs to one page and one base revision.
import { forget, keep, recall } from "./kept.js";
import { alignRows, placed } from "./rows.js";

const PAUSE = 250;

export function startDraft(form) {
  if (form.dataset.draft === undefined) return;
  const key = `draft:${form.dataset.draft}`;
  const shown = valuesOf(form);
  const saved = form.dataset.unsaved === "true" ? {} : shown; // after a refused save nothing shown is stored yet
  const kept = recall(key);
  if (kept && !same(placed(form, kept.values), placed(form, shown))) offer(form, key, kept);
  else if (saved === shown) forget(key);
  let timer;
  form.addEventListener("input", (event) => {
    if (!isOurs(event.target)) return;
    clearTimeout(timer);
    timer = setTimeout(() => store(form, key, saved), PAUSE);
  });
  form.addEventListener("submit", (event) => {
    clearTimeout(timer);
    const isOtherView = event.submitter?.name === "do" && ["json", "fields"].includes(event.submitter.value);
    if (isOtherView || form.dataset.draftOnce !== undefined) leave(form, key); // the other view is sent all of it, and keeps a draft of its own
    else store(form, key, saved);
  });
  window.addEventListener("pagehide", () => store(form, key, saved));
  for (const button of document.querySelectorAll("[data-discard]")) {
    button.addEventListener("click", () => discard(form, key, saved));
  }
  showUnsaved(!same(valuesOf(form), saved));
}

/** A draft of the same revision comes back by itself; one of an older revision asks first. */
function offer(form, key, kept) {
  const notice = document.querySelector("[data-draft-notice]");
  const when = notice.querySelector("time");
  when.textContent = new Date(kept.at).toLocaleString(document.documentElement.lang);
  notice.hidden = false;
  const fresh = kept.base === form.dataset.base;
  notice.querySelector("[data-draft-restored]").hidden = !fresh;
  notice.querySelector("[data-draft-older]").hidden = fresh;
  notice.querySelector("[data-draft-load]").addEventListener("click", () => {
    restore(form, kept.values);
    keep(key, { ...kept, base: form.dataset.base });
    location.reload();
  });
  if (fresh) restore(form, kept.values);
}

function store(form, key, saved) {
  if (form.dataset.discarded) return;
  const values = valuesOf(form);
  const changed = !same(values, saved);
  if (changed) keep(key, { base: form.dataset.base, at: Date.now(), values });
  else if (recall(key)?.base === form.dataset.base) forget(key);
  showUnsaved(changed);
}

function leave(form, key) {
  form.dataset.discarded = "true";
  forget(key);
}

function discard(form, key) {
  leave(form, key);
  location.assign(location.pathname + location.search);
}

function showUnsaved(changed) {
  for (const chip of document.querySelectorAll("[data-unsaved]")) chip.hidden = !changed;
}

const isOurs = (control) => control.name?.startsWith("d.") || control.name === "slug";

function valuesOf(form) {
  const values = {};
  for (const control of form.elements) {
    if (!isOurs(control)) continue;
    values[control.name] = control.type === "checkbox" ? control.checked : control.value;
  }
  return values;
}

function restore(form, values) {
  alignRows(form, values);
  for (const control of form.elements) {
    const value = values[control.name];
    if (!isOurs(control) || value === undefined) continue;
    if (control.type === "checkbox") control.checked = value;
    else control.value = value;
  }
}

function same(one, other) {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}
