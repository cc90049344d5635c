// Lists in a form: rows are added, copied, taken out and moved here, by button, by Alt and an arrow, or by dragging.
// The server does the same when a button is sent without a script; the hidden field `data-rows-order` names the order.
const DASH = "-";

export function startRows() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-row-do]");
    if (!button) return;
    event.preventDefault();
    act(button.closest("[data-rows]"), button);
  });
  document.addEventListener("keydown", (event) => {
    const step = event.altKey && !event.ctrlKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
    const row = step && event.target.closest("[data-row]");
    if (!row || event.target.closest("textarea, select")) return;
    event.preventDefault();
    move(row, step, document.activeElement);
  });
  startDragging();
  document.addEventListener("input", (event) => retitle(event.target));
}

/** Give a list the rows that a draft names, so that its values have somewhere to go. */
export function alignRows(form, values) {
  for (const list of form.querySelectorAll("[data-rows]")) {
    const wanted = values[orderOf(list).name];
    if (wanted === undefined || wanted === orderOf(list).value) continue;
    const names = wanted.split(" ").filter(Boolean);
    const have = new Map(rowsOf(list).map((row) => [row.dataset.row, row]));
    const rows = names.map((name) => have.get(name) ?? made(list, name)).filter(Boolean);
    list.querySelector("[data-rows-list]").replaceChildren(...rows);
    orderOf(list).value = rows.map((row) => row.dataset.row).join(" ");
  }
}

/** Return values with rows named by their place, so that two forms that say the same compare equal. */
export function placed(form, values) {
  const lists = [...form.querySelectorAll("[data-rows-order]")].map((order) => order.name);
  const made = {};
  for (const [name, value] of Object.entries(values)) {
    const list = lists.find((one) => name.startsWith(`${one}.`));
    if (lists.includes(name)) made[name] = value.split(" ").filter(Boolean).length;
    else if (!list) made[name] = value;
    else if (!name.endsWith(".raw")) {
      const [row, ...rest] = name.slice(list.length + 1).split(".");
      const at = (values[list] ?? "").split(" ").indexOf(row);
      if (at >= 0) made[`${list}.${at}.${rest.join(".")}`] = value;
    }
  }
  return made;
}

const orderOf = (list) => list.querySelector("[data-rows-order]");
const rowsOf = (list) => [...list.querySelectorAll("[data-rows-list] > [data-row]")];

function act(list, button) {
  const row = button.closest("[data-row]");
  const verb = button.dataset.rowDo;
  if (verb === "up" || verb === "down") return move(row, verb === "up" ? -1 : 1, button);
  if (verb === "remove") return remove(list, row);
  const added = verb === "copy" ? copied(list, row) : made(list, freeName(list, button.dataset.variant));
  if (verb === "copy") row.after(added);
  else placeLast(list, added);
  for (const control of added.querySelectorAll("[data-unique]")) control.value = freeValue(list, control);
  written(list);
  const details = added.querySelector("details");
  if (details) details.open = true;
  const inside = details ?? added;
  return (inside.querySelector("input:not([type=hidden]), textarea, select") ?? inside.querySelector("summary")).focus();
}

function placeLast(list, row) {
  const tail = rowsOf(list).find((one) => one.hasAttribute("data-tail"));
  if (tail) tail.before(row);
  else list.querySelector("[data-rows-list]").append(row);
}

function move(row, step, focus) {
  const other = step < 0 ? row.previousElementSibling : row.nextElementSibling;
  if (!other || row.hasAttribute("data-tail") || other.hasAttribute("data-tail")) return;
  if (step < 0) other.before(row);
  else other.after(row);
  const list = row.closest("[data-rows]");
  written(list);
  focus?.focus();
  row.scrollIntoView({ block: "nearest" });
  say(list, row);
}

function remove(list, row) {
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  written(list);
  (next?.querySelector("summary, input:not([type=hidden])") ?? list.querySelector("[data-row-do=add]"))?.focus();
}

/** Write the order, and let drafts and previews know. */
function written(list) {
  const order = orderOf(list);
  order.value = rowsOf(list).map((row) => row.dataset.row).join(" ");
  order.dispatchEvent(new Event("input", { bubbles: true }));
}

function say(list, row) {
  const said = list.querySelector("[data-rows-said]");
  const rows = rowsOf(list);
  said.textContent = said.dataset.moved.replace("{n}", rows.indexOf(row) + 1).replace("{m}", rows.length);
}

function freeName(list, variant) {
  const names = new Set(rowsOf(list).map((row) => row.dataset.row));
  let at = 0;
  while (names.has(`n${at}${DASH}${variant}`)) at += 1;
  return `n${at}${DASH}${variant}`;
}

/** Return the text of a field that no two rows may share, with a number behind it where another row has it. */
function freeValue(list, control) {
  const others = [...list.querySelectorAll("[data-unique]")].filter((one) => one !== control).map((one) => one.value);
  const stem = control.value.replace(/-\d+$/, "");
  let text = control.value;
  for (let at = 2; others.includes(text); at += 1) text = `${stem}-${at}`;
  return text;
}

/** Return a new row of the variant that its name ends in. */
function made(list, name) {
  const variant = name.slice(name.indexOf(DASH) + 1);
  const blank = list.querySelector(`template[data-blank="${CSS.escape(variant)}"]`);
  return blank ? renamed(blank.content.firstElementChild.cloneNode(true), name) : undefined;
}

function copied(list, row) {
  const copy = row.cloneNode(true);
  const from = row.querySelectorAll("input, textarea, select");
  copy.querySelectorAll("input, textarea, select").forEach((control, at) => {
    if (control.type === "checkbox") control.checked = from[at].checked;
    else control.value = from[at].value;
  });
  const old = row.dataset.row;
  return renamed(copy, freeName(list, old.slice(old.indexOf(DASH) + 1)));
}

/** Give every name and id of a row the row's new name. */
function renamed(row, name) {
  const old = row.dataset.row;
  row.dataset.row = name;
  for (const element of [row, ...row.querySelectorAll("*")]) {
    for (const key of ["name", "id", "for", "aria-describedby", "data-path", "value"]) {
      const text = element.getAttribute(key);
      if (text === null || (key === "value" && element.tagName !== "BUTTON")) continue;
      element.setAttribute(key, text.replace(`.${old}.`, `.${name}.`).replace(`-${old}-`, `-${name}-`).replace(`:${old}`, `:${name}`));
    }
  }
  return row;
}

/** A closed row shows the name that is typed in it. */
function retitle(control) {
  const row = control.closest?.("[data-row]");
  if (!row || control !== row.querySelector("input.text")) return;
  const title = row.querySelector(".row-title");
  if (title && control.value) title.textContent = control.value;
}

/** Drag a row by its grip; others make room as it passes. */
function startDragging() {
  let held;
  document.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest("[data-grip]");
    if (!grip || event.button !== 0) return;
    held = grip.closest("[data-row]");
    held.classList.add("dragged");
    event.preventDefault();
  });
  document.addEventListener("pointermove", (event) => {
    if (!held) return;
    const list = held.parentElement;
    const under = document.elementFromPoint(list.getBoundingClientRect().left + 40, event.clientY)?.closest("[data-row]");
    if (!under || under === held || under.parentElement !== list || under.hasAttribute("data-tail")) return;
    const box = under.getBoundingClientRect();
    if (event.clientY < box.top + box.height / 2) under.before(held);
    else under.after(held);
  });
  const drop = () => {
    if (!held) return;
    const list = held.closest("[data-rows]");
    held.classList.remove("dragged");
    written(list);
    say(list, held);
    held = undefined;
  };
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);
}
