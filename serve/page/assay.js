// One assay: what goes in, the ranking under way, and what came of it.

import * as api from "./api.js";
import { Upload } from "./upload.js";
import { Ranked } from "./ranked.js";
import { showTrust } from "./trust.js";
import { grouped, count, duration } from "./dom.js";

const pause = (ms) => new Promise((r) => setTimeout(r, ms));

export class Assay {
  /** named is told what the assay is called when that is known. */
  constructor(panel, named) {
    this.panel = panel;
    this.named = named;
    this.id = null; // of the job
    this.form = panel.querySelector("form");
    this.find = (selector) => panel.querySelector(selector);
    this.find(".limits").textContent = `Here: ${document.getElementById("assays").dataset.words}.`;
    this.support = new Upload(this.find(".support"), "support", (f) => this.fields(f), () => this.changed());
    this.library = new Upload(this.find(".library"), "library", (f) => this.reading(f), () => this.changed());
    this.ranked = new Ranked(this.find(".ranked"), (err) => this.lost(err));
    this.form.addEventListener("submit", (e) => { e.preventDefault(); this.rank(); });
    this.find(".example").addEventListener("click", () => this.example());
    this.find(".cancel").addEventListener("click", () => this.cancel());
    this.find("[name=rule]").addEventListener("change", () => {
      const plain = !this.find("[name=rule]").value;
      this.find("[name=threshold]").disabled = this.find("[name=unit]").disabled = plain;
      if (!plain) this.find("[name=threshold]").focus();
    });
    for (const name of ["label", "rule", "threshold", "unit"]) this.find(`[name=${name}]`).addEventListener("change", () => this.support.show());
    this.find("[name=largest_fragment]").addEventListener("change", () => { this.support.show(); this.library.show(); });
    this.changed();
  }

  /** reading adds the fields by which all files are read, fields those of the labels, too. */
  reading(form) {
    if (this.find("[name=largest_fragment]").checked) form.set("largest_fragment", "true");
    return form;
  }

  fields(form) {
    this.reading(form);
    const [label, rule, threshold, unit] = ["label", "rule", "threshold", "unit"].map((n) => this.find(`[name=${n}]`).value.trim());
    if (label) form.set("label", label);
    if (rule && threshold) {
      form.set(rule, threshold);
      if (unit) form.set("unit", unit);
    }
    return form;
  }

  /** changed shows what can be done with what there is. */
  changed() {
    const s = this.support?.preview, l = this.library?.preview;
    if (s) this.columns(s);
    const why = !this.support?.files.length ? "Add measured molecules." : !s ? "" : !s.support ? "Say how activity is told." : !this.library.files.length ? "Add a library." : "";
    this.find(".why").textContent = why;
    this.find(".primary").disabled = !(s?.support && l) || this.busy === true;
  }

  /** columns offers those of the support file, and opens the choice where it has to be made. */
  columns(preview) {
    const select = this.find("[name=label]"), chosen = select.value;
    const names = preview.columns.map((c) => c.name).filter((n) => n !== preview.smiles);
    select.replaceChildren(new Option("told from the header", ""), ...preview.columns.filter((c) => c.name !== preview.smiles).map((c) =>
      new Option(c.examples.length ? `${c.name}  (${c.examples.join(", ")})` : c.name, c.name)));
    select.value = names.includes(chosen) ? chosen : "";
    if (preview.problem) this.find(".labels").open = true;
  }

  async example() {
    try {
      const { support, library } = await api.example();
      this.form.reset();
      this.find("[name=threshold]").disabled = this.find("[name=unit]").disabled = true;
      this.support.take([new File([support], "support.csv")]);
      this.library.take([new File([library], "library.csv")]);
    } catch (err) {
      this.alert(err);
    }
  }

  alert(err) {
    const box = this.find(".alert");
    box.hidden = !err;
    box.textContent = err ? err.problem?.message ?? err.message : "";
  }

  async rank() {
    if (this.find(".primary").disabled) return;
    await this.forget();
    const form = this.fields(new FormData());
    form.set("wait", "false");
    const prior = Number(this.find("[name=prior]").value.replace(",", "."));
    if (prior) form.set("prior", prior / 100);
    form.set("diverse", this.find("[name=diverse]").value);
    for (const f of this.support.files) form.append("support", f, f.name);
    for (const f of this.library.files) form.append("library", f, f.name);
    this.alert(null);
    this.under(true, "Sending …");
    this.find(".outcome").hidden = true;
    this.sending = new AbortController();
    try {
      let status = await api.rank(form, this.sending.signal);
      this.id = status.id;
      const mine = status.id;
      for (let wait = 60; !["done", "failed"].includes(status.state); wait = Math.min(wait * 1.3, 1000)) {
        this.progress(status);
        await pause(wait);
        if (this.id !== mine) return; // cancelled
        status = await api.job(mine);
      }
      if (status.state === "failed") throw new api.Refusal(status.error, 422);
      await this.done(status);
    } catch (err) {
      if (err.name !== "AbortError") { this.alert(err); this.id = null; }
    } finally {
      this.under(false);
    }
  }

  progress(s) {
    const bar = this.find(".progress progress");
    let text = { reading: "Reading the files …", measuring: "Measuring how the support set ranks itself …" }[s.stage] ?? "";
    if (s.state === "waiting") text = s.ahead ? `Waiting for ${count(s.ahead, "ranking")} before this one …` : "Waiting …";
    if (s.stage === "ranking") text = `Ranking: ${grouped(s.rows)} of ${grouped(s.of)}${s.left != null && s.seconds > 1 ? `, ${duration(s.left)} left` : ""}`;
    if (s.stage === "ranking" && s.of) bar.value = s.rows / s.of;
    else bar.removeAttribute("value");
    const state = this.find(".state");
    if (state.textContent !== text) state.textContent = text;
  }

  under(way, text = "") {
    this.busy = way;
    this.find(".progress").hidden = !way;
    this.panel.classList.toggle("busy", way);
    this.find(".progress progress").removeAttribute("value");
    this.find(".state").textContent = text;
    if (way) this.find(".progress").scrollIntoView({ block: "nearest" });
    this.changed();
  }

  async done(status) {
    this.find(".outcome").hidden = false;
    showTrust(this.find(".trust"), status);
    this.named(status.support.file);
    await this.ranked.show(status);
    this.find(".trust").scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  }

  cancel() {
    this.sending?.abort();
    this.forget();
    this.alert({ message: "Cancelled." });
    this.under(false);
    this.find(".primary").focus();
  }

  /** forget gives up the job, if there is one. */
  forget() {
    const id = this.id;
    this.id = null;
    return id ? api.forget(id) : Promise.resolve();
  }

  /** lost says why rows cannot be had any more. */
  lost(err) {
    this.alert(err.status === 404 ? { message: "The server has forgotten this ranking: nobody asked for it for a while. Rank again." } : err);
  }
}
