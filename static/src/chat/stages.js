// The row of stages: a click, or the arrow keys, show what one stage did. Without a script all are shown.
const tabs = () => [...document.querySelectorAll(".stages [role=tab]")];

export function startStages() {
  for (const tab of tabs()) {
    tab.addEventListener("click", (event) => {
      event.preventDefault();
      choose(tab);
    });
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (event.key === " ") choose(tab);
      if (step) choose(tabs()[(tabs().indexOf(tab) + step + tabs().length) % tabs().length]);
      if (step || event.key === " ") event.preventDefault();
    });
  }
}

function choose(chosen) {
  for (const tab of tabs()) {
    const on = tab === chosen;
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
    document.querySelector(tab.hash).classList.toggle("on", on);
  }
  chosen.focus();
}
