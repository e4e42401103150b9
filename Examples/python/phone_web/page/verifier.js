// The other side of a presentation: what somebody sees who is shown a card.

import {claimList} from "./cards.js";
import {h} from "./dom.js";
import {draw} from "./icons.js";

/** What the verifier's desk shows, drawn over the phone that was held out to it. */
export function verifierDesk({audience, claims, refused}, close) {
  const verdict = refused ? `Refused: ${refused}.` : "Issuer, holder and nonce are right. This is all it sees:";
  return h("section.prompt.desk", {role: "dialog", "aria-modal": "true", "aria-labelledby": "desk-title"},
    h("div.art.small", {}, draw(refused ? "cross" : "shield", "picture")),
    h("h3", {id: "desk-title", tabindex: "-1"}, `The verifier ${new URL(audience).host}`),
    h("p.message", {}, verdict),
    claims && claimList(claims),
    h("div.buttons", {}, h("button.primary", {type: "button", id: "close-desk", onclick: close}, "Close")));
}
