// What the server tells, and what it is told.

/** Hears {phone, wire, lost}: each state of the phone, each line of the wire, and whether the server is there. */
export function listen({phone, wire, lost}) {
  const source = new EventSource("/feed");
  source.addEventListener("phone", (event) => phone(JSON.parse(event.data)));
  source.addEventListener("wire", (event) => wire(JSON.parse(event.data)));
  source.addEventListener("open", () => lost(false));
  source.addEventListener("error", () => lost(true));
}

/** Has something done; answers {status: "OK"} or another status with a message. */
export async function order(name, words = {}, body = null) {
  try {
    const answer = await fetch(`/do/${name}?${new URLSearchParams(words)}`, {method: "POST", body: body ?? ""});
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
