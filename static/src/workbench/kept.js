// What this browser remembers. Storage may be full or forbidden; the page works without it.
export function keep(key, value) {
  try {
    localStorage.setItem(`neotavern:${key}`, JSON.stringify(value));
  } catch {
    // nothing is kept
  }
}

export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(`neotavern:${key}`)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function forget(key) {
  try {
    localStorage.removeItem(`neotavern:${key}`);
  } catch {
    // nothing was kept
  }
}
