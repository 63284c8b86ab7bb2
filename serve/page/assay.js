// One assay: its inputs, the ranking under way, and the results.

import * as api from "./api.js";
import { Upload } from "./upload.js";
import { After } from "./after.js";
import { Ranked } from "./ranked.js";
import { showTrust } from "./trust.js";
import { grouped, count, duration } from "./dom.js";

const pause = (ms) => new Promise((r) => setTimeout(r, ms));

export class Assay {
  /** named is called with the name of the support file after a ranking. */
  constructor(panel, named) {
    this.panel = panel;
    this.named = named;
    this.against = () => []; // files of unwanted assays, and their names
    this.id = null; // of the job
    this.sent = this.results = null; // request and saved results of the ranking shown
    this.form = panel.querySelector("form");
    this.find = (selector) => panel.querySelector(selector);
    this.find(".limits").textContent = `Here: ${document.getElementById("assays").dataset.words}.`;
    this.support = new Upload(this.find(".support"), "support", (f) => this.fields(f), () => this.changed());
    this.library = new Upload(this.find(".library"), "library", (f) => this.reading(f), () => this.changed());
    this.past = new Upload(this.find(".past"), "history", (f) => this.set(f, this.inputs(["files", "past"])), () => this.changed());
    this.find(".past .without").addEventListener("click", () => { this.past.take([]); this.find(".past input").focus(); });
    this.ranked = new Ranked(this.find(".ranked"), (err) => this.lost(err));
    this.after = new After(panel, () => this.ranked.onlyPicks(), () => this.touched?.());
    this.form.addEventListener("submit", (e) => { e.preventDefault(); this.rank(); });
    this.find(".example").addEventListener("click", () => this.example());
    this.find(".cancel").addEventListener("click", () => this.cancel());
    this.find("[name=rule]").addEventListener("change", () => {
      const plain = !this.find("[name=rule]").value;
      this.find("[name=threshold]").disabled = this.find("[name=unit]").disabled = plain;
      if (!plain) this.find("[name=threshold]").focus();
    });
    for (const name of ["label", "unit", "rule", "threshold", "numbers"]) this.find(`[name=${name}]`).addEventListener("change", () => this.support.show());
    for (const e of this.inputs(["support", "labels", "library", "past", "files", "drawing", "history", "ranking"])) e.addEventListener("change", () => this.edited(e.dataset.part));
    this.find("[name=prior]").addEventListener("input", () => this.share());
    for (const name of ["prior", "reasons"]) this.find(`[name=${name}]`)?.addEventListener("change", () => this.changed());
    // A press on this button leaves a field, whose change may move the button away from the pointer.
    this.find(".primary").addEventListener("pointerdown", (e) => e.target.setPointerCapture(e.pointerId));
    panel.addEventListener("against", () => this.changed());
    for (const box of panel.querySelectorAll("[name=columns]")) box.addEventListener("change", () => this.changed());
    this.changed();
  }

  /** inputs returns those of fields that are declared for these parts of the page. */
  inputs(parts) { return [...this.form.querySelectorAll("[data-part]")].filter((e) => parts.includes(e.dataset.part)); }

  /** edited reads the files again whose reading depends on a part. */
  edited(part) {
    if (part === "ranking" || part === "history") return this.changed();
    if (part === "files" || part === "past") this.past.show();
    if (part === "past") return;
    if (part !== "library") this.support.show();
    if (part !== "support" && part !== "labels") this.library.show();
  }

  /** set adds the fields of these inputs that are not empty, and have an effect beside the others. */
  set(form, inputs) {
    for (const e of inputs) {
      const value = e.type === "checkbox" ? e.checked && "true" : e.value.trim(), needs = e.dataset.needs?.split(" ") ?? [""];
      if (value && !e.disabled && !e.closest(".past .fields[hidden]") && (needs[0] === "" || needs.some((name) => form.has(name)))) form.set(e.name, value);
    }
    return form;
  }

  /** byName returns inputs by their names; those that the page lacks are left out. */
  byName(...names) { return names.map((name) => this.find(`[name=${name}]`)).filter((e) => e); }

  /** reading adds the fields that control how the library is read; fields adds those for the support set. */
  reading(form) { return this.set(form, this.inputs(["files", "drawing", "library"])); }

  fields(form) {
    this.set(form, [...this.inputs(["files", "drawing", "support"]), ...this.byName("label")]);
    const label = this.column();
    if (label && this.find("[name=numbers]").checked) form.set("potency", label);
    const [rule, threshold] = ["rule", "threshold"].map((n) => this.find(`[name=${n}]`).value.trim());
    if (rule && threshold) this.set(form, this.byName("unit")).set(rule, threshold);
    this.set(form, this.inputs(["labels"]));
    return form;
  }

  /** column returns the column to learn from, if it is chosen or the only one of measurements. */
  column() { return this.find("[name=label]").value || this.measured(); }

  /** measured returns the only column of measurements in the support set; "" if there is none or several. */
  measured() {
    const s = this.support, p = s?.preview, all = p?.columns.filter((c) => c.values);
    if (p) this.numbers = { of: s.files, name: all.length === 1 ? all[0].name : "" };
    return s && this.numbers?.of === s.files ? this.numbers.name : "";
  }

  /** share returns the expected share of actives in per cent and displays it as 1 in n; null if the field has no share. */
  share() {
    const text = this.find("[name=prior]").value.trim();
    const value = text ? Number(text.replace(/\s*%$/, "").replace(",", ".")) : 0;
    const is = !text || value > 0 && value < 100;
    this.find(".share").textContent = !text ? "" : is ? `1 in ${grouped(Math.round(100 / value))}` : "not a share";
    return is ? value : null;
  }

  /** changed updates the button and the hint beside it for the current inputs. */
  changed() {
    const s = this.support?.preview, past = this.past?.files.length > 0;
    this.find(".past .without").hidden = !past;
    this.find(".past .fields").hidden = !past && !this.find(".past").matches(".known"); // the model may know past assays
    if (past) this.find(".past").hidden = false; // of a project, also where the model has no use for them
    if (s) this.columns(s), this.measured();
    const given = this.support?.files.length, more = this.library?.files.length;
    const numbers = s && this.find("[name=numbers]").checked && !this.column();
    if (numbers) this.find(".labels").open = true;
    const why = !given ? "Add measured molecules." : numbers ? "Choose the column of measurements (What is active)." : s && !s.support ? "Choose what is active, or learn measurements as numbers (Options)." : !more ? "Add a library." : this.support.failed ? "The measured molecules cannot be read." : this.library.failed ? "The library cannot be read." : this.past?.failed ? "The past assays cannot be read." : "";
    this.find(".why").textContent = why;
    // While files are read again, the button stays enabled: a press waits for them.
    this.find(".primary").disabled = why !== "" || !this.support.read || !this.library.read || past && !this.past.read || this.busy === true;
    if (!this.busy) this.find(".changed").hidden = false; // marks the results below, if there are any
    this.touched?.();
    if (this.support && this.support.files !== this.molecules) {
      this.molecules = this.support.files;
      this.renewed?.(); // the assays that are ranked against this one
    }
  }

  /** outdate marks the results, also those of a ranking under way. */
  outdate() {
    this.outdated = this.busy;
    this.changed();
  }

  /** columns lists the columns of the support file, and opens the list if the user has to choose one. */
  columns(preview) {
    const select = this.find("[name=label]"), chosen = select.value;
    const names = preview.columns.map((c) => c.name).filter((n) => n !== preview.smiles);
    select.replaceChildren(new Option("taken from the header", ""), ...preview.columns.filter((c) => c.name !== preview.smiles).map((c) =>
      new Option(c.examples.length ? `${c.name}  (${c.examples.join(", ")})` : c.name, c.name)));
    select.value = names.includes(chosen) ? chosen : "";
    if (preview.problem) this.find(".labels").open = true;
  }

  async example() {
    const given = this.support.files.length || this.library.files.length || this.past.files.length;
    if (given && !confirm("The example replaces the files and settings of this assay. Continue?")) return;
    try {
      const before = [this.support.files, this.library.files];
      const { support, library } = await api.example();
      if (before[0] !== this.support.files || before[1] !== this.library.files) return; // others were chosen meanwhile
      this.form.reset();
      this.find("[name=threshold]").disabled = this.find("[name=unit]").disabled = true;
      this.support.take([new File([support], "support.csv")]);
      this.library.take([new File([library], "library.csv")]);
      this.past.take([]);
    } catch (err) {
      this.alert(err);
    }
  }

  alert(err) {
    const box = this.find(".alert");
    box.hidden = !err;
    box.textContent = err ? err.problem?.message ?? err.message : "";
  }

  /** rank sends the inputs. The second press of a double click does nothing. */
  async rank() {
    if (this.find(".primary").disabled || this.asked) return;
    this.asked = true;
    const form = await this.request().finally(() => { this.asked = false; });
    if (form) await this.carry(form, "Sending …");
  }

  /** request returns the form of a request for a ranking; undefined if the inputs do not allow one. */
  async request() {
    await Promise.all([this.support.done, this.library.done, this.past.done]);
    if (this.find(".primary").disabled || [this.support, this.library, this.past].some((u) => u.files.length && !u.preview)) return;
    const share = this.share();
    if (share === null) return this.alert({ message: "Write the expected share of actives in per cent, more than 0 and less than 100, such as 2." });
    if (this.find("[name=explore]").value.trim() && !this.find("[name=batch]").value.trim()) return this.alert({ message: "Exploring has no effect without molecules to measure next. Write how many, or leave it out." });
    const gone = await api.unchanged([...this.support.files, ...this.library.files, ...this.past.files]).catch((err) => err);
    if (gone) return this.alert(gone);
    await this.forget();
    const form = this.reading(this.fields(new FormData()));
    for (const f of this.past.files) form.append("history", f, f.name);
    this.set(form, this.inputs(["past", "history"]));
    form.set("wait", "false");
    if (share) form.set("prior", share / 100);
    this.set(form, [...this.inputs(["ranking"]), ...this.byName("reasons")]);
    const [, before] = this.sent?.find(([name]) => name === "support") ?? [];
    if (form.get("batch") && before && before !== this.support.files[0]) form.append("before", before, before.name);
    const columns = [...this.panel.querySelectorAll("[name=columns]:checked")].map((box) => box.value);
    if (columns.length) form.set("columns", columns.join());
    if (columns.includes("scaffold")) form.set("group", "scaffold");
    for (const f of this.support.files) form.append("support", f, f.name);
    for (const [f, name] of this.against()) form.append("against", f, name);
    for (const f of this.library.files) form.append("library", f, f.name);
    return form;
  }

  /** carry sends a request, waits for its job and shows the result. With saved results, nothing is computed. */
  async carry(form, text, results, file) {
    this.alert(null);
    this.showProgress(true, text);
    this.find(".outcome").hidden = true;
    const turn = this.sending = new AbortController(); // replaced, or null, once this request is abandoned
    const sent = [...form];
    if (!results) this.sent = this.results = null;
    this.large = false;
    if (results) form.set("results", results, "results.zip");
    try {
      let status = await api.rank(form, turn.signal);
      const mine = this.id = status.id;
      for (let wait = 60, silent = 0; !["done", "failed"].includes(status.state); wait = Math.min(wait * 1.3, 1000)) {
        this.progress(status);
        await pause(wait);
        if (this.id !== mine) return; // cancelled
        const now = await api.job(mine).catch((err) => { if (err.status || ++silent > 5) throw err; }); // a connection may break off
        if (this.id !== mine) return;
        [status, silent] = now ? [now, 0] : [status, silent];
      }
      if (status.state === "failed") throw new api.Refusal(status.error, 422);
      await this.done(status, results && { file });
      const kept = results ?? await api.results(mine);
      if (this.sending === turn) [this.sent, this.results] = [sent, kept];
      this.touched?.();
    } catch (err) {
      if (this.sending !== turn) return;
      if (err.name !== "AbortError") { this.alert(err); this.id = null; }
      if ([400, 422].includes(err.status)) this.sent = this.results = null; // the server refused them; after other errors they are sent again
      this.large = err.status === 413; // another server may take them
    } finally {
      if (this.busy && this.sending === turn) this.showProgress(false);
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

  showProgress(way, text = "") {
    this.busy = way;
    if (way) this.outdated = false;
    this.find(".progress").hidden = !way;
    this.panel.classList.toggle("busy", way);
    this.find(".progress progress").removeAttribute("value");
    this.find(".state").textContent = text;
    if (way) this.find(".progress").scrollIntoView({ block: "nearest" });
    this.changed();
  }

  async done(status, opened) {
    this.showProgress(false);
    this.find(".outcome").hidden = false;
    this.find(".changed").hidden = !this.outdated;
    const { origin } = status;
    this.find(".origin").hidden = !origin;
    if (origin) this.find(".origin").textContent = `Ranked on ${new Date(origin.at).toLocaleDateString("en-GB", { dateStyle: "long" })} by pacia ${origin.program}, ${origin.model}.`;
    showTrust(this.find(".trust"), status);
    this.named(status.support.file);
    await Promise.all([this.ranked.show(status), this.after.show(status, opened?.file)]);
    if (!opened) this.find(".trust").scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  }

  cancel() {
    this.close();
    this.alert({ message: "Cancelled." });
    this.showProgress(false);
    this.find(".primary").focus();
  }

  /** forget removes the job, if there is one. */
  forget() {
    const id = this.id;
    this.id = null;
    return id ? api.forget(id) : Promise.resolve();
  }

  /** state returns the parts of an assay that a project keeps. */
  state() {
    const fields = [...this.form.elements].filter((e) => e.name && e.type !== "file").map((e) => (e.type === "checkbox" ? [`${e.name}=${e.value}`, e.checked] : [e.name, e.value]));
    return { fields, support: this.support.files, library: this.library.files, history: this.past.files, sent: this.results && this.sent, results: this.results, measured: this.after.file, stale: !this.find(".changed").hidden };
  }

  /** restore displays an assay from the value that state returned. */
  async restore({ fields, support, library, history, sent, results, measured, stale }) {
    const values = new Map(fields);
    for (const e of this.form.elements) {
      const value = values.get(e.type === "checkbox" ? `${e.name}=${e.value}` : e.name);
      if (value === undefined || e.type === "file") continue;
      if (e.type === "checkbox") e.checked = value === true;
      else {
        if (e.name === "label" && value) e.append(new Option(value)); // the columns are read later
        e.value = value;
      }
    }
    this.find("[name=threshold]").disabled = this.find("[name=unit]").disabled = !this.find("[name=rule]").value;
    this.share();
    this.support.take(support);
    this.library.take(library);
    this.past.take(history);
    await Promise.all([this.support.done, this.library.done, this.past.done]);
    if (results) await this.reopen(sent, results, measured, stale);
  }

  /** reopen shows saved results. */
  async reopen(sent, results, measured, stale) {
    const form = new FormData();
    for (const [name, value] of sent) form.append(name, value);
    [this.sent, this.results] = [sent, results]; // kept with the project if they cannot be opened now
    await this.carry(form, "Opening …", results, measured);
    this.find(".changed").hidden = !stale && !this.outdated;
  }

  /** alive requests the status of the job, which keeps it on the server. */
  async alive() {
    if (this.busy || !this.results || this.large) return;
    const err = this.id ? await api.job(this.id).catch((err) => err) : new api.Refusal({}, 404);
    if (err.status === 404) this.lost(err);
  }

  close() {
    this.sending?.abort();
    this.sending = null;
    this.forget();
  }

  /** lost handles an error that the rows cannot be fetched. If the server has deleted the ranking, it is sent again with its results. */
  lost(err) {
    if (err?.status === 404 && this.results && !this.busy) return this.reopen(this.sent, this.results, this.after.file, !this.find(".changed").hidden);
    this.alert(err?.status === 404 ? { message: "The server deleted this ranking because it was not used for a while. Rank again." } : err);
  }
}
