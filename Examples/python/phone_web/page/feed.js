// SPDX-License-Identifier: Apache-2.0
// The connection to the server: receives the feed and sends commands.

// The secret of the printed URL: it follows the # at the first visit, and is kept for this tab, where no other origin
// can read it. A cookie would be sent to every server on loopback.
const key = (() => {
  const found = location.hash.slice(1);
  if (found) {
    sessionStorage.setItem("key", found);
    history.replaceState(null, "", "/");
  }
  return sessionStorage.getItem("key") ?? "";
})();

/** Calls {phone, wire, lost}: with each state of the phone, with each line of the wire, and with the reason when the
 * connection is lost, or "" when it is there. */
export function listen({phone, wire, lost}) {
  const source = new EventSource(`/feed?${new URLSearchParams({key})}`);
  source.addEventListener("phone", (event) => phone(JSON.parse(event.data)));
  source.addEventListener("wire", (event) => wire(JSON.parse(event.data)));
  source.addEventListener("open", () => lost(""));
  source.addEventListener("error", () => lost(source.readyState === EventSource.CLOSED
    ? "Open the URL that “make phone-web” prints in this tab." : "The server of this page does not answer."));
}

/** Sends a command. Returns {status: "OK"} or another status with a message. */
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

/** Loads the tables of the use cases. */
export async function flows() {
  return (await fetch("/flows.json")).json();
}
