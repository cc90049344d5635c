// A message is dragged by its grip to another place; the buttons do the same for the keyboard.
let dragged;

export function startDrag() {
  document.addEventListener("dragstart", (event) => {
    const grip = event.target.closest?.("[data-message-grip]");
    if (!grip) return;
    dragged = grip.closest(".said");
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", dragged.dataset.id);
    event.dataTransfer.setDragImage(dragged, 12, 12);
    dragged.classList.add("dragged");
  });
  document.addEventListener("dragover", (event) => {
    const over = target(event);
    unmark();
    if (!over) return;
    event.preventDefault();
    over.classList.add(isUpper(event, over) ? "drop-before" : "drop-after");
  });
  document.addEventListener("drop", (event) => {
    const over = target(event);
    if (!over) return;
    event.preventDefault();
    send(dragged, `${isUpper(event, over) ? "before" : "after"}:${over.dataset.id}`);
  });
  document.addEventListener("dragend", () => {
    unmark();
    dragged?.classList.remove("dragged");
    dragged = undefined;
  });
}

function target(event) {
  const over = dragged && event.target.closest?.("#thread .said");
  return over && over !== dragged ? over : undefined;
}

function isUpper(event, over) {
  const box = over.getBoundingClientRect();
  return event.clientY < box.top + box.height / 2;
}

function unmark() {
  for (const one of document.querySelectorAll(".drop-before, .drop-after")) {
    one.classList.remove("drop-before", "drop-after");
  }
}

function send(message, place) {
  const form = message.querySelector(".acts");
  const values = { do: place, shown: form.querySelector("[name=shown]").value };
  window.htmx.ajax("POST", form.action, { source: form, target: "#thread", swap: "outerHTML", values });
}
