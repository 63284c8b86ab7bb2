// The part of the page below a ranking: molecules to measure next, the report, and a comparison of the ranking
// with later measurements.

import * as api from "./api.js";
import { el, count } from "./dom.js";

export class After {
  /** picks shows only the picked molecules; touched is called after a new file of results was read. */
  constructor(panel, picks, touched) {
    this.find = (s) => panel.querySelector(s);
    this.touched = touched;
    this.file = null;
    this.input = this.find("[name=measured]");
    this.input.addEventListener("change", () => {
      const [file] = this.input.files;
      this.input.value = ""; // the same file may be chosen again
      if (file) this.compare(file);
    });
    this.find(".batch button").addEventListener("click", picks);
  }

  /** show displays a finished ranking; file, which may be missing, holds later measurements. */
  async show(status, file) {
    this.id = status.id;
    this.turn = null;
    this.file = null;
    this.find(".hits").replaceChildren();
    this.find("a.report").href = api.file(status.id, "report.html", "");
    const { batch, lack, changed } = status, line = this.find(".batch");
    line.hidden = !batch;
    if (batch) line.querySelector("span").textContent = `Measure next: ${count(batch.first, "molecule")}.${batch.high ? ` Actives to expect: ${Math.round(batch.expected)} (${batch.low} to ${batch.high}).` : ""}${lack ? ` ${lack}.` : ""}${changed ? ` There are ${changed}.` : ""}`;
    if (file) await this.compare(file);
  }

  async compare(file) {
    const out = this.find(".hits"), turn = this.turn = {}; // replaced by a later file, and null after another ranking
    try {
      await api.unchanged([file]);
      const form = new FormData();
      form.append("support", file, file.name);
      const outcome = await api.outcome(this.id, form);
      if (this.turn !== turn) return;
      out.replaceChildren(...outcomeTable(outcome, file.name));
      this.file = file;
      this.touched();
    } catch (err) {
      if (this.turn === turn) out.replaceChildren(el("p", { class: "problem" }, err.message));
    }
  }
}

/** outcomeTable returns an outcome as a paragraph and a table. */
function outcomeTable(o, name) {
  const all = `${name}: results of ${count(o.known, "ranked molecule")}, ${o.actives} of them active. Molecules of the support set do not count.`;
  if (!o.first) return [el("p", {}, all)];
  const figure = (v, digits) => (v == null ? "" : v.toFixed(digits));
  const row = (title, ...cells) => el("tr", {}, el("th", { scope: "row" }, title), ...cells.map((c) => el("td", {}, c)));
  const hits = o.first.map((f) => row(`First ${f.first}`, `${figure(f.hits.ranking, 0)} (${figure(f.enrichment.ranking, 1)}×)`,
    f.hits.similarity == null ? "" : `${figure(f.hits.similarity, 0)} (${figure(f.enrichment.similarity, 1)}×)`, figure(f.chance, 1)));
  if (o.roc_auc) hits.push(row("ROC-AUC", figure(o.roc_auc.ranking, 2), figure(o.roc_auc.similarity, 2), "0.5"));
  return [el("p", {}, all), el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Actives among the"), ...["This ranking", "Similarity", "Chance"].map((t) => el("th", { scope: "col" }, t)))), el("tbody", {}, ...hits))];
}
