// SPDX-License-Identifier: Apache-2.0
// The other side of a presentation: what somebody sees who is shown a card.

import {claimList} from "./cards.js";
import {h} from "./dom.js";
import {draw} from "./icons.js";

// Linkable: a card without it would need a key for each verifier.
const OF_THE_CARD = "Beside that every card shows its issuer (iss), its type (vct), when it was issued and when it "
  + "expires (iat, exp), the digests of claims that stay hidden, and its holder’s key (cnf), by which two verifiers "
  + "can tell that they met the same card.";

/** What the verifier's desk shows, drawn over the phone that was held out to it. */
export function verifierDesk({audience, claims, refused}, close) {
  const verdict = refused ? `Refused: ${refused}.` : "The card is genuine, its holder has shown it, and just now. Of the person the verifier sees this:";
  return h("section.prompt.desk", {role: "dialog", "aria-modal": "true", "aria-labelledby": "desk-title"},
    h("div.art.small", {}, draw(refused ? "cross" : "shield", "picture")),
    h("h3", {id: "desk-title", tabindex: "-1"}, `The verifier ${new URL(audience).host}`),
    h("p.message", {}, verdict),
    claims && claimList(claims),
    claims && h("p.hint", {}, OF_THE_CARD),
    h("div.buttons", {}, h("button.primary", {type: "button", id: "close-desk", onclick: close}, "Close")));
}
