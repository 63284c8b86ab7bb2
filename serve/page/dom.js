// Elements and texts. Text is always set as text: content of files is never interpreted as HTML.

import { drawing } from "./api.js";

/** el makes an element: attributes, then children that are elements or text. */
export function el(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") for (const [event, f] of Object.entries(value)) e.addEventListener(event, f);
    else if (value === true) e.setAttribute(name, "");
    else if (value !== false && value != null) e.setAttribute(name, value);
  }
  e.append(...children.filter((c) => c != null));
  return e;
}

/** structure returns the drawing of a molecule. */
export const structure = (smiles, name, width = 180, height = 120) => picture(smiles, name, width, height, {});

function picture(smiles, name, width, height, colours) {
  const what = name || smiles;
  return el("picture", { class: "structure" },
    el("source", { media: "screen and (prefers-color-scheme: dark)", srcset: drawing(smiles, width, height, "dark", colours) }),
    el("img", { loading: "lazy", decoding: "async", width, height, src: drawing(smiles, width, height, "light", colours), alt: `Structure of ${what}`, title: what }));
}

/** coloured returns the drawing of a molecule with colours behind its atoms. */
export const coloured = (smiles, name, colours, width = 180, height = 120) => picture(smiles, name, width, height, colours);

const numbers = new Intl.NumberFormat("en-US");
export const grouped = (n) => numbers.format(n);
export const count = (n, noun) => `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;

/** duration formats seconds as seconds, minutes or hours. */
export function duration(s) {
  if (s < 1) return "less than a second";
  if (s < 90) return `${Math.round(s)} s`;
  if (s < 5400) return `${Math.round(s / 60)} min`;
  return `${(s / 3600).toFixed(1)} h`;
}

/** percent formats a probability with two significant digits, three near 100 %. */
export function percent(p) {
  const v = 100 * p;
  if (v >= 99.95) return "> 99.9 %";
  if (v >= 9.95) return `${v.toFixed(v < 99.5 ? 0 : 1)} %`;
  return v < 0.01 ? "< 0.01 %" : `${v.toPrecision(2)} %`;
}
