// The panel that shows how far to trust a ranking.

import { el, grouped, count } from "./dom.js";

const bar = (name, value, kind) => {
  const fill = el("span", { class: `fill ${kind}` });
  fill.style.width = `${100 * value}%`;
  return el("div", { class: "measure" }, el("dt", {}, name), el("dd", {}, el("span", { class: "track", "aria-hidden": "true" }, fill), el("span", { class: "value" }, value.toFixed(2))));
};

/** past states how many molecules are in past assays. */
const past = ({ assays, support, library }, measured, ranked) => (support + library === 0 ? "No measured molecule and none of the library is in the past assays: nothing changes." : `${count(assays, "past assay")}: ${grouped(support)} of ${grouped(measured)} measured molecules and ${grouped(library)} of ${grouped(ranked)} molecules of the library are in them.`);

export function showTrust(out, status) {
  const t = status.trust, check = t.check, library = t.library;
  const [sentence, ...rest] = t.sentence.split(/[,;] /);
  const parts = [
    el("p", { class: `verdict ${t.verdict.replace(" ", "-")}` }, sentence[0].toUpperCase() + sentence.slice(1)),
    el("p", { class: "but" }, rest.length ? t.sentence.slice(sentence.length + 2) + "." : ""),
  ];
  if (status.expected?.length)
    parts.push(el("p", {}, `Actives to expect, if its probabilities hold and the share of actives is that of the measured molecules, or the one under Options: ${status.expected.map((h) => `${Math.round(h.expected)} of the first ${h.first} (${h.low} to ${h.high})`).join(", ")}.`));
  const s = status.support;
  const facts = [`${grouped(s.active)} active and ${grouped(s.inactive)} inactive molecules of ${s.file}, by column ${s.column}${s.rule ? ` (${s.rule})` : ""}.`];
  const left = el("div", {}, el("h3", {}, "Left out and ranked by the others: ROC-AUC"));
  if (check.roc_auc == null) left.append(el("p", {}, `Not measured: ${check.unmeasured}.`));
  else left.append(el("dl", { class: "measures" }, bar("This model", check.roc_auc, "own"), bar("Similarity search", check.similarity, "other"), bar("Labels swapped", check.swapped, "other"),
    ...(check.past ? [bar("Without past assays", check.past.without, "other"), bar("Active before", check.past.hits, "other"), bar("Labels before", check.past.profile, "other")] : [])),
    el("p", { class: "hint" }, "0.5 is chance, 1 is perfect. With swapped labels, a model that uses the labels does worse."),
    check.past ? el("p", { class: "hint" }, "Active before: by how often a molecule was active in past assays alone. Labels before: by labels in them like those of measured molecules.") : "");
  const right = el("div", {}, el("h3", {}, "The molecules"));
  const like = [];
  if (library.nearest_tanimoto_median != null) {
    like.push(el("li", {}, `The library's nearest measured molecules are at Tanimoto ${library.nearest_tanimoto_median.toFixed(2)} (median), ${library.nearest_tanimoto_10th_percentile.toFixed(2)} (10th percentile).`));
    if (library.known != null) like.push(el("li", {}, `${grouped(library.known)} of ${grouped(status.ranked)} molecules of the library known from training.`));
    if (library.outside_domain != null) like.push(el("li", {}, `${grouped(library.outside_domain)} outside the domain.`));
  }
  if (t.past) like.push(el("li", {}, past(t.past, s.active + s.inactive, status.ranked)));
  for (const text of t.past?.notes ?? []) like.push(el("li", {}, `${text}.`));
  if (status.unread) like.push(el("li", {}, `${grouped(status.unread)} could not be read.`));
  right.append(el("ul", {}, ...facts.map((f) => el("li", {}, f)), ...like));
  parts.push(el("div", { class: "columns" }, left, right));
  if (status.said?.length) parts.push(el("details", {}, el("summary", {}, "What was read"), el("ul", { class: "findings" }, ...status.said.map((line) => el("li", {}, line)))));
  out.replaceChildren(...parts);
}
