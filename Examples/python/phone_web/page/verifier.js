// SPDX-License-Identifier: Apache-2.0
// The verifier's view of a presentation.

import {claimList} from "./cards.js";
import {h} from "./dom.js";
import {draw} from "./icons.js";

// The holder's key makes presentations linkable; to avoid that, a card would need a key for each verifier.
const OF_THE_CARD = "Besides that, every card shows its issuer (iss), its type (vct), when it was issued and when it "
  + "expires (iat, exp), the digests of claims that stay hidden, and its holder’s key (cnf), by which two verifiers "
  + "can find out that they saw the same card.";

/** Draws what the verifier sees, over the screen of the phone. */
export function verifierView({audience, claims, refused}, close) {
  const verdict = refused ? `Refused: ${refused}.`
    : "The card is genuine, and its holder has shown it just now. The verifier sees this about the person:";
  return h("section.prompt.verifier", {role: "dialog", "aria-modal": "true", "aria-labelledby": "verifier-title"},
    h("div.art.small", {}, draw(refused ? "cross" : "shield", "picture")),
    h("h3", {id: "verifier-title", tabindex: "-1"}, `The verifier ${new URL(audience).host}`),
    h("p.message", {}, verdict),
    claims && claimList(claims),
    claims && h("p.hint", {}, OF_THE_CARD),
    h("div.buttons", {}, h("button.primary", {type: "button", id: "close-verifier", onclick: close}, "Close")));
}
