// The other side of a presentation: what somebody sees who is shown a card.

import {claimList} from "./cards.js";
import {h} from "./dom.js";
import {draw} from "./icons.js";

export class VerifierDesk {
  #place;
  #shown = null;

  constructor(place) {
    this.#place = place;
  }

  show({presented}) {
    const shown = JSON.stringify(presented);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#place.replaceChildren(...(presented ? [this.#desk(presented)] : []));
  }

  #desk({audience, claims, refused}) {
    const verdict = refused ? `Refused: ${refused}` : "Issuer, holder and nonce are right. It sees only this:";
    return h("section.desk", {"aria-labelledby": "desk-title", role: "status"},
      h("h3", {id: "desk-title"}, `A verifier, ${audience}`),
      h("p.verdict", {}, draw(refused ? "cross" : "check"), verdict),
      claims && claimList(claims));
  }
}
