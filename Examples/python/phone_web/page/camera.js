// SPDX-License-Identifier: Apache-2.0
// The camera: the user shows it one of the pictures offered, or a file.

import {h} from "./dom.js";
import {order} from "./feed.js";

/** Draws the camera. `newApplicant` makes the button that opens an account. */
export function camera(step, act, newApplicant) {
  const shelf = h("ul.shelf", {"aria-label": "Pictures to show to the camera"});
  const finder = h("div.finder", {"aria-hidden": "true"}, h("span.beam"));
  const hold = async (take, image) => {
    if (image) finder.replaceChildren(image, h("span.beam"));
    finder.classList.add("seeing");
    const answer = await take();
    if (answer.news || answer.status !== "OK") finder.classList.remove("seeing");
  };
  const takeFile = async (event) => {
    const picked = event.target.files[0];
    if (!picked) return;
    const image = h("img", {src: URL.createObjectURL(picked), alt: ""});
    const words = {serial: step.serial, name: picked.name};
    await hold(async () => act("upload", words, await picked.arrayBuffer()), image);
  };
  const file = h("input.visually-hidden", {type: "file", accept: "image/png", id: "picture", onchange: takeFile});
  const holdSample = (name) => hold(
    () => act("hold", {serial: step.serial, picture: name}), h("img", {src: source(name), alt: ""}));
  fillShelf(step, shelf, holdSample, () => newApplicant(act));
  return h("div.camera", {}, finder, shelf, file, h("label.upload", {for: "picture"}, "Take a picture file (PNG)"));
}

// The time keeps the browser from a cached picture: those of the applicant change under the same name.
const source = (name) => `/pictures/${name}.png?${Date.now()}`;

async function fillShelf(step, shelf, hold, newApplicant) {
  const {pictures = []} = await order("pictures", {step: step.name});
  const ofApplicant = pictures.some(({name}) => name === "applicant" || name === "enrolment-code");
  const hint = () => h("li.hint", {}, h("p", {}, "No account at hand? This opens one, and makes its code and a licence:"),
    newApplicant());
  shelf.replaceChildren(
    ...(ofApplicant ? [] : [hint()]),
    ...pictures.map(({name, label}) => h("li", {}, h("button",
      {type: "button", "data-picture": name, onclick: () => hold(name)},
      h("img", {src: source(name), alt: ""}), h("span", {}, label)))));
}
