// SPDX-License-Identifier: Apache-2.0
// What the server tells, and what it is told.

// The secret of the URL that was printed: it stands behind the # at the first visit, and is kept for this tab, where
// no other origin can read it. A cookie could be read by every server on loopback.
const key = (() => {
  const found = location.hash.slice(1);
  if (found) {
    sessionStorage.setItem("key", found);
    history.replaceState(null, "", "/");
  }
  return sessionStorage.getItem("key") ?? "";
})();

/** Hears {phone, wire, lost}: each state of the phone, each line of the wire, and why the server is lost; "" once it
 * is there. */
export function listen({phone, wire, lost}) {
  const source = new EventSource(`/feed?${new URLSearchParams({key})}`);
  source.addEventListener("phone", (event) => phone(JSON.parse(event.data)));
  source.addEventListener("wire", (event) => wire(JSON.parse(event.data)));
  source.addEventListener("open", () => lost(""));
  source.addEventListener("error", () => lost(source.readyState === EventSource.CLOSED
    ? "Open the URL that “make phone-web” prints in this tab." : "The server of this page does not answer."));
}

/** Has something done; answers {status: "OK"} or another status with a message. */
export async function order(name, words = {}, body = null) {
  try {
    const answer = await fetch(`/do/${name}?${new URLSearchParams(words)}`,
      {method: "POST", headers: {"Phone-Web-Key": key}, body: body ?? ""});
    if (!answer.ok) return {status: "FAILED", message: (await answer.text()).trim()};
    return await answer.json();
  } catch {
    return {status: "FAILED", message: "the server of this page does not answer"};
  }
}

/** The tables of the use cases. */
export async function flows() {
  return (await fetch("/flows.json")).json();
}
