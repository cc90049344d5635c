// Files dropped anywhere on a page with a form marked `data-drop` become those of its file field.
export function startDrop() {
  const form = document.querySelector("[data-drop]");
  if (!form) return;
  const field = form.elements[form.dataset.drop];
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    form.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) form.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    form.classList.remove("dropping");
    if (!hasFiles(event)) return;
    event.preventDefault();
    field.files = event.dataTransfer.files;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
}
