// The reasons for a molecule's rank: shares of support molecules and of atoms in its log-odds.

import { el, coloured } from "./dom.js";

const signed = (v) => (v < 0 ? "−" : "+") + Math.abs(v).toFixed(2);
const digits = (n, atoms) => { const all = Array(n).fill("0"); for (const a of atoms) all[a] = "1"; return all.join(""); };
const dot = (kind, text) => el("span", { class: "legend" }, el("span", { class: `dot ${kind}`, "aria-hidden": "true" }), text);

/** why returns the panel of a row with reasons. */
export function why(r) {
  const line = (name, note, share, kind = "") => el("tr", { class: kind }, el("th", { scope: "row", title: name }, name), el("td", {}, note), el("td", { class: "value" }, signed(share)));
  const near = r.neighbors ?? [], atoms = r.atoms ?? [];
  const rows = near.map((n) => line(n.name || n.smiles, n.active ? "active" : "inactive", n.share));
  if (r.others) rows.push(line("other measured molecules", "", r.others));
  rows.push(line("in any assay", "", r.any_assay), line("log-odds", "", r.log_odds, "sum"));
  for (const p of r.parts ?? []) rows.push(line(`of these by ${p.name}`, "", p.share));
  const pairs = near.slice(0, 3).map((n) => el("figure", {},
    coloured(r.smiles, "the ranked molecule", { common: digits(atoms.length, n.common ?? []) }), coloured(n.smiles, n.name, { common: digits(n.atoms, n.common_there ?? []) }),
    el("figcaption", { title: n.name || n.smiles }, `${n.name || n.smiles} (${n.active ? "active" : "inactive"}) ${signed(n.share)}`)));
  const known = r.known && el("p", {}, `Known from training: active in ${r.known.active} and inactive in ${r.known.inactive} assays, by targets: `,
    r.known.targets.slice(0, 10).map((t) => `${t.name} ${t.active} of ${t.assays}`).join("; "), r.known.targets.length > 10 ? `; and ${r.known.targets.length - 10} more.` : ".");
  return el("section", { class: "reasons", "aria-label": "Why it ranks here" },
    el("div", { class: "atoms" }, coloured(r.smiles, "the ranked molecule", { atoms: atoms.map((v) => v.toPrecision(2)).join() }, 320, 220),
      el("p", { class: "hint" }, `Atoms have ${signed(r.fingerprints)} of the log-odds ${signed(r.log_odds)}. `, dot("raises", "raises"), dot("lowers", "lowers"), dot("common", "in common with a measured molecule"))),
    el("table", {}, el("caption", { class: "unseen" }, "Shares of the log-odds"), el("tbody", {}, ...rows)),
    el("div", { class: "pairs" }, ...pairs), known);
}
