// Asks the server for the prompt. A newer question drops the one in flight, so a late answer never replaces a newer one.
let asking;

/**
 * Post the form to the address of the output.
 *
 * Returns `{html, report}`; html is undefined when nothing is to be replaced. Returns undefined when a newer question
 * came, and throws when the server can not be reached or fails.
 */
export async function ask(form, output) {
  asking?.abort();
  const mine = (asking = new AbortController());
  const busy = document.querySelector("#busy");
  busy.classList.add("htmx-request");
  try {
    const response = await fetch(output.dataset.url, request(form, output, mine.signal));
    const goTo = response.headers.get("HX-Redirect");
    if (goTo) location.assign(goTo); // logged out: the draft waits in this browser
    const html = await response.text();
    if (mine !== asking || goTo) return undefined;
    if (!response.ok) throw new Error(`status ${response.status}`);
    const report = JSON.parse(response.headers.get("HX-Trigger"))["preview-report"];
    return { html: response.headers.get("HX-Reswap") === "none" ? undefined : html, report };
  } catch (error) {
    if (error.name === "AbortError" || mine !== asking) return undefined;
    throw error;
  } finally {
    if (mine === asking) busy.classList.remove("htmx-request");
  }
}

function request(form, output, signal) {
  const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
  const headers = { "HX-Request": "true", "HX-Target": output.id, "X-CSRFToken": token };
  return { method: "POST", body: new FormData(form), headers, signal };
}
