// The reasons for a molecule's rank: shares of support molecules and of atoms in its log-odds, and what differs from
// measured molecules with the same core.

import { el, coloured } from "./dom.js";

const signed = (v) => (v < 0 ? "−" : "+") + Math.abs(v).toFixed(2);
const most = 9999; // atoms of a molecule that is drawn
const digits = (n, atoms) => { const all = new Set(atoms); return Array.from({ length: Math.min(n, most) }, (_, i) => (all.has(i) ? "1" : "0")).join(""); };
const dot = (kind, text) => el("span", { class: "legend" }, el("span", { class: `dot ${kind}`, "aria-hidden": "true" }), text);
const label = (n) => (n.active ? "active" : "inactive");
const short = (list) => list.map((v) => (v == null ? "" : v.toPrecision(2))).join();
/** look returns the parameters of the drawing of a picture in a contrast. */
const look = (p) => ({ atoms: short(p.shares), like: p.like, onto: p.onto.join(), notes: p.notes.join() });
const line = (name, note, share, kind = "") => el("tr", { class: kind }, el("th", { scope: "row", title: name }, name), el("td", {}, note), el("td", { class: "value" }, signed(share)));

/** beside returns a contrast: both molecules in the same orientation, and the changed groups with their shares. */
function beside(r, c) {
  const name = c.name || c.smiles;
  return el("figure", {}, coloured(r.smiles, "the ranked molecule", look(c.here)), coloured(c.smiles, name, look(c.there)),
    el("figcaption", { title: name }, `beside ${name} (${label(c)}, log-odds ${signed(c.log_odds)})`),
    el("table", {}, el("tbody", {}, ...c.changes.map((one) => line(`${one.here} in place of ${one.there}`, "", one.share, "change")), line("difference", "", c.difference, "sum"))));
}

/** together returns a measured molecule and the ranked one, with their common part marked. */
function together(r, n) {
  const name = n.name || n.smiles;
  return el("figure", {}, coloured(r.smiles, "the ranked molecule", { common: digits((r.atoms ?? []).length, n.common ?? []) }),
    coloured(n.smiles, n.name, { common: digits(n.atoms, n.common_there ?? []) }), el("figcaption", { title: name }, `${name} (${label(n)}) ${signed(n.share)}`));
}

/** why returns the panel of a row with reasons. */
export function why(r) {
  const near = r.neighbors ?? [], contrasts = r.contrasts ?? [];
  const rows = near.map((n) => line(n.name || n.smiles, label(n), n.share));
  if (r.others) rows.push(line("other measured molecules", "", r.others));
  rows.push(line("in any assay", "", r.any_assay));
  if (r.prior) rows.push(line("share of actives in the library", "", r.prior));
  rows.push(line("log-odds", "", r.log_odds, "sum"));
  for (const p of r.parts ?? []) rows.push(line(`of these by ${p.name}`, "", p.share));
  const pairs = contrasts.length ? contrasts.map((c) => beside(r, c)) : near.slice(0, 3).map((n) => together(r, n));
  const known = r.known && el("p", {}, `Known from training: active in ${r.known.active} and inactive in ${r.known.inactive} assays, by targets: `,
    r.known.targets.slice(0, 10).map((t) => `${t.name} ${t.active} of ${t.assays}`).join("; "), r.known.targets.length > 10 ? `; and ${r.known.targets.length - 10} more.` : ".");
  const past = r.past && el("p", {}, `Past assays: how often it was active there ${signed(r.past.hits)}`, r.past.assays.length ? `; labels there, the largest shares: ${r.past.assays.map((a) => `${label(a)} in ${a.name} ${signed(a.share)}`).join("; ")}.` : ".");
  const main = contrasts.length ? look(contrasts[0].here) : { atoms: short(r.atoms ?? []) };
  const hint = contrasts.length ? [`Coloured is what differs from ${contrasts[0].name || contrasts[0].smiles} (${label(contrasts[0])}). `, dot("core", "common core")]
    : [`Atoms have ${signed(r.fingerprints)} of the log-odds ${signed(r.log_odds)}. `, dot("common", "in common with a measured molecule")];
  return el("section", { class: "reasons", "aria-label": "Why it ranks here" },
    el("div", { class: "atoms" }, coloured(r.smiles, "the ranked molecule", main, 320, 220), el("p", { class: "hint" }, ...hint, dot("raises", "raises"), dot("lowers", "lowers"))),
    el("table", {}, el("caption", { class: "unseen" }, "Shares of the log-odds"), el("tbody", {}, ...rows)),
    el("div", { class: "pairs" }, ...pairs), known, past);
}
