// On a narrow screen the editor and the prompt are tabs.
const tabs = () => [...document.querySelectorAll(".panes [role=tab]")];

export function startPanes() {
  for (const tab of tabs()) {
    tab.addEventListener("click", () => reveal(tab.dataset.pane));
    tab.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const other = tabs().find((one) => one !== tab);
      reveal(other.dataset.pane);
      other.focus();
    });
  }
}

export function reveal(pane) {
  const bench = document.querySelector(".bench");
  if (!bench) return;
  bench.dataset.pane = pane;
  for (const tab of tabs()) {
    const on = tab.dataset.pane === pane;
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
  }
}
