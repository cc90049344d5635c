// Lists of references: choosing in the empty row adds another one.
import { recall } from "../workbench/kept.js";

export function startReferences(form) {
  const kept = recall(`draft:${form.dataset.draft}`)?.values ?? {};
  for (const list of form.querySelectorAll("[data-references]")) {
    while (Object.keys(kept).some((name) => isBehind(list, name))) addRow(list);
    list.addEventListener("change", () => {
      if (rows(list).at(-1).value) addRow(list);
    });
  }
}

const rows = (list) => [...list.querySelectorAll("select[name]")];

function isBehind(list, name) {
  const prefix = `d.${list.dataset.references}.`;
  return rows(list).length > 0 && name.startsWith(prefix) && Number(name.slice(prefix.length)) >= rows(list).length;
}

function addRow(list) {
  const last = rows(list).at(-1);
  const row = last.cloneNode(true);
  const number = rows(list).length;
  row.name = `d.${list.dataset.references}.${number}`;
  row.setAttribute("aria-label", last.getAttribute("aria-label").replace(/\d+$/, String(number + 1)));
  row.value = "";
  last.after(row);
}
