// The theme is a cookie, so that the server writes it into the page and nothing flashes.
const YEAR = 60 * 60 * 24 * 365;

export function startTheme() {
  const select = document.querySelector("[data-theme-switch]");
  if (!select) return;
  select.addEventListener("change", () => {
    document.cookie = `theme=${select.value}; path=/; max-age=${YEAR}; samesite=lax`;
    if (select.value === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = select.value;
  });
}
