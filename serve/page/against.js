// Other tabs as assays that are not wanted.

import { el } from "./dom.js";

/** offer shows the assays of other tabs with measured molecules in a panel, for a choice; those chosen stay so. */
export function offer(panel, others) {
  const box = panel.querySelector(".against"), list = box.querySelector("div");
  const chosen = new Set([...list.querySelectorAll(":checked")].map((b) => b.value));
  const there = others.filter((o) => o.assay.support.files.length);
  box.hidden = !there.length;
  list.replaceChildren(...there.map((o) => {
    const check = el("input", { type: "checkbox", name: "against", value: o.panel.id, on: { change: () => panel.dispatchEvent(new Event("against")) } });
    check.checked = chosen.has(o.panel.id);
    return el("label", { class: "check" }, check, ` ${o.tab.textContent}`);
  }));
}

/** files are the measured molecules of the assays that are chosen, named as their tabs. */
export function files(panel, others) {
  const chosen = new Set([...panel.querySelectorAll(".against :checked")].map((b) => b.value));
  return others.filter((o) => chosen.has(o.panel.id)).flatMap((o) => o.assay.support.files.map((f) => {
    const name = o.panel.querySelector("[name=assay]").value.trim().replaceAll(/[\\/]/g, " ");
    return [f, name ? name + (f.name.match(/(\.[^.]+)(\.gz)?$/)?.[0] ?? ".csv") : f.name];
  }));
}

/** chosen are the places of those that are chosen, among all tabs. */
export const chosen = (panel, all) => [...panel.querySelectorAll(".against :checked")].map((b) => all.findIndex((o) => o.panel.id === b.value));

/** choose is offer with a choice, by places. */
export function choose(panel, all, places) {
  offer(panel, all.filter((o) => o.panel !== panel));
  for (const i of places) for (const b of panel.querySelectorAll(".against input")) if (b.value === all[i]?.panel.id) b.checked = true;
}
