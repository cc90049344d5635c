// Small habits of forms: a select that sends itself, a question before something is thrown away.
export function startForms() {
  startTicks();
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-send-on-change]")) event.target.form.requestSubmit();
  });
  document.addEventListener("submit", (event) => {
    const question = event.submitter?.dataset.confirm ?? event.target.dataset.confirm;
    if (question && !window.confirm(question)) event.preventDefault();
  });
}

/** Rows of a list: tick them all, and say how many are ticked. The style sheet shows the bar for them. */
function startTicks() {
  document.addEventListener("change", (event) => {
    const boxes = () => [...document.querySelectorAll("#rows tbody .tick input")];
    if (event.target.matches("[data-tick-all]")) for (const box of boxes()) box.checked = event.target.checked;
    const count = document.querySelector("[data-ticked]");
    if (count && event.target.closest(".tick")) count.textContent = String(boxes().filter((box) => box.checked).length);
  });
}

/** What htmx puts into the sheet opens as a dialog; without a script the same link leads to a page. */
export function startSheet() {
  const sheet = document.querySelector("#sheet");
  document.body.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target === sheet && !sheet.open) sheet.showModal();
  });
}
