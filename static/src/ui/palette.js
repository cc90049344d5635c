// Search over objects and actions: one list, moved through with the arrow keys.
export function startPalette() {
  const dialog = document.querySelector("#palette");
  const opener = document.querySelector("[data-open-palette]");
  if (!dialog || !opener) return;
  const input = dialog.querySelector("input");
  const results = dialog.querySelector(".results");
  opener.addEventListener("click", (event) => {
    event.preventDefault();
    openPalette();
  });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      move(results, input, step);
    }
    if (event.key === "Escape") {
      event.preventDefault(); // a search field would only empty itself
      dialog.close();
    }
    if (event.key === "Enter") {
      event.preventDefault();
      (results.querySelector(".at") ?? results.querySelector("a"))?.click();
    }
  });
  results.addEventListener("htmx:afterSwap", () => move(results, input, 0));
  results.addEventListener("click", () => dialog.close());
}

/** Open the search; the list is fetched again, since objects may have changed. */
export function openPalette() {
  const dialog = document.querySelector("#palette");
  if (!dialog || dialog.open) return;
  dialog.showModal();
  const input = dialog.querySelector("input");
  input.select();
  window.htmx.trigger(input, "search");
}

function move(results, input, step) {
  const rows = [...results.querySelectorAll("a")];
  if (!rows.length) return;
  const was = rows.findIndex((row) => row.classList.contains("at"));
  const now = step === 0 ? 0 : (was + step + rows.length) % rows.length;
  rows.forEach((row, n) => {
    row.id = `found-${n}`;
    row.classList.toggle("at", n === now);
    row.setAttribute("aria-selected", String(n === now));
  });
  rows[now].scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", `found-${now}`);
}
