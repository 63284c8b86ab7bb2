// The choice of other tabs as unwanted assays.

import { el } from "./dom.js";

/**
 * offer lists, in a panel, the other tabs that have measured molecules. Assays chosen before stay chosen. The same list
 * is not built again: a browser loses a press on a box that is replaced before the button is released.
 */
export function offer(panel, others) {
  const box = panel.querySelector(".against"), list = box.querySelector("div");
  const there = others.filter((o) => o.assay.support.files.length);
  box.hidden = !there.length;
  const offers = JSON.stringify(there.map((o) => [o.panel.id, o.tab.textContent]));
  if (list.dataset.offers === offers) return;
  list.dataset.offers = offers;
  const chosen = new Set([...list.querySelectorAll(":checked")].map((b) => b.value));
  list.replaceChildren(...there.map((o) => {
    const check = el("input", { type: "checkbox", name: "against", value: o.panel.id, on: { change: () => panel.dispatchEvent(new Event("against")) } });
    check.checked = chosen.has(o.panel.id);
    return el("label", { class: "check" }, check, ` ${o.tab.textContent}`);
  }));
}

/** files returns the measured molecules of the chosen assays, each with the name of its tab. */
export function files(panel, others) {
  const chosen = new Set([...panel.querySelectorAll(".against :checked")].map((b) => b.value));
  return others.filter((o) => chosen.has(o.panel.id)).flatMap((o) => o.assay.support.files.map((f) => {
    const name = o.panel.querySelector("[name=assay]").value.trim().replaceAll(/[\\/]/g, " ");
    return [f, name ? name + (f.name.match(/(\.[^.]+)(\.gz)?$/)?.[0] ?? ".csv") : f.name];
  }));
}

/** chosen returns the indices of the chosen assays among all tabs. */
export const chosen = (panel, all) => [...panel.querySelectorAll(".against :checked")].map((b) => all.findIndex((o) => o.panel.id === b.value));

/** choose calls offer and checks the assays with these indices. */
export function choose(panel, all, places) {
  offer(panel, all.filter((o) => o.panel !== panel));
  for (const i of places) for (const b of panel.querySelectorAll(".against input")) if (b.value === all[i]?.panel.id) b.checked = true;
}

/** uses reports whether the assay of a panel is ranked against another one. */
export const uses = (panel, one) => [...panel.querySelectorAll(".against :checked")].some((b) => b.value === one.panel.id);
