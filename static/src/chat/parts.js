// Parts of a prompt: a click on a piece opens the part that it belongs to, which says why it is there.
export function startParts() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-part-link]");
    if (!link) return;
    event.preventDefault();
    openPart(link.dataset.partLink);
  });
}

export function openPart(number) {
  const part = document.querySelector(`#part-${CSS.escape(number)}`);
  if (!part) return;
  for (let box = part.parentElement; box; box = box.parentElement) if (box.matches("details")) box.open = true;
  const own = part.querySelector("details");
  own.open = true;
  own.scrollIntoView({ block: "nearest" });
  own.querySelector("summary").focus({ preventScroll: true });
}

/** What a part is and why it is there, in a line. */
export function partTitle(number) {
  return document.querySelector(`#part-${CSS.escape(number)}`)?.dataset.title;
}
