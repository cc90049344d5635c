// Buttons that copy what stands in the element they name. The clipboard interface exists on https and localhost only;
// elsewhere the text is selected, so that the person's own copy command takes it.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const shown = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(shown.textContent.trim());
  } catch {
    window.getSelection().selectAllChildren(shown);
    if (!document.execCommand("copy")) return;
  }
  const was = button.textContent;
  button.textContent = button.dataset.copied;
  setTimeout(() => { button.textContent = was; }, 1500);
});
