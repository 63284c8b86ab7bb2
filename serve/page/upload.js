// A card for files, which are chosen, dropped or pasted. It shows at once how they are interpreted.

import * as api from "./api.js";
import { el, structure, grouped, count } from "./dom.js";

const most = Number(document.getElementById("assays").dataset.upload);
const bytes = (n) => (n < 1e6 ? `${(n / 1e3).toFixed(0)} kB` : `${(n / 1e6).toFixed(1)} MB`);

const ofLabels = /\b(label|active_below|active_above|unit|value_unit|decimal)\b/, ofFiles = /\b(smiles|delimiter|encoding|sheet|header)\b/;

/** edited reports whether an element is a text field, such as the field of a pattern beside the files. */
const edited = (e) => e.matches?.("textarea, select, input:not([type=file], [type=checkbox])");

/** brings reports whether a card accepts a drag: a file, or text outside text fields that is not the address of a link or a picture. */
const brings = ({ dataTransfer: { types }, target }) => types.includes("Files") || types.includes("text/plain") && !types.includes("text/uri-list") && !edited(target);

/** inWords returns the text of a problem for the page. In place of fields to send, it refers to the controls below. */
function inWords(problem) {
  const where = [problem.row > 1 && `row ${problem.row}`, problem.column && `column ${problem.column}`].filter(Boolean).join(", ");
  const what = `${where ? where + ": " : ""}${problem.what}`;
  const reading = /history_reading "([^"]*)"/.exec(problem.fix ?? "");
  if (reading) return `${what}. Write below how the files are read, as in “${reading[1]}”.`;
  if (ofFiles.test(problem.fix ?? "")) return `${what}. Choose below how the file is read.`;
  if (ofLabels.test(problem.fix ?? "")) return `${what}. Choose below what is active.`;
  return problem.message;
}

export class Upload {
  /** field is support, library or history; fields adds the other fields to a form; changed is called after each change. */
  constructor(card, field, fields, changed) {
    Object.assign(this, { card, field, fields, changed, files: [], preview: null });
    this.out = card.querySelector(".read");
    this.input = card.querySelector("input[type=file]");
    this.area = card.querySelector("textarea");
    this.input.addEventListener("click", () => { this.input.value = ""; }); // the same file may be chosen again
    this.input.addEventListener("change", () => this.input.files.length && this.take([...this.input.files]));
    let typing;
    this.area?.addEventListener("input", () => {
      clearTimeout(typing);
      typing = setTimeout(() => this.paste(this.area.value), 400);
    });
    card.addEventListener("dragover", (e) => card.classList.toggle("over", brings(e)));
    card.addEventListener("dragleave", (e) => { if (!card.contains(e.relatedTarget)) card.classList.remove("over"); });
    card.addEventListener("drop", (e) => {
      card.classList.remove("over");
      if (!brings(e)) return;
      const text = e.dataTransfer.getData("text/plain");
      if (e.dataTransfer.files.length) this.take([...e.dataTransfer.files]);
      else if (text) this.paste(text);
    });
    card.addEventListener("paste", (e) => {
      if (edited(e.target)) return;
      if (e.clipboardData.files.length) this.take([...e.clipboardData.files]);
      else if (e.clipboardData.getData("text/plain")) this.paste(e.clipboardData.getData("text/plain"));
      e.preventDefault();
    });
  }

  paste(text) {
    if (text.trim()) this.take([new File([text], "pasted text")]);
    else this.take([]);
  }

  take(files) {
    this.files = this.field === "support" ? files.slice(0, 1) : files;
    this.given = files.length;
    this.read = false; // whether these files were read at least once
    this.show();
  }

  /** show reads the files again and displays the interpretation. The promise done resolves afterwards. */
  show() {
    this.done = this.understand();
    return this.done;
  }

  async understand() {
    this.reading?.abort();
    this.preview = null;
    this.failed = false;
    this.changed();
    if (!this.files.length) return this.put();
    const size = this.files.reduce((n, f) => n + f.size, 0);
    if (size > most) {
      this.wrong({ message: `${bytes(size)} are more than the ${bytes(most)} that this server takes.` });
      return this.changed();
    }
    this.reading = new AbortController();
    const { signal } = this.reading;
    if (this.out.querySelector(".file")) this.out.classList.add("stale"); // the old preview stays until the new one arrives
    else this.out.replaceChildren(el("p", { class: "quietly" }, "Reading …"));
    try {
      await api.unchanged(this.files);
      const form = new FormData();
      for (const f of this.files) form.append(this.field, f, f.name);
      this.fields(form);
      const preview = await api.read(form, signal);
      if (signal.aborted) return;
      this.preview = preview;
      this.read = true;
      this.display(preview);
    } catch (err) {
      if (err.name === "AbortError" || signal.aborted) return;
      this.wrong(err.problem ?? err);
    }
    this.changed();
  }

  wrong(problem) {
    this.failed = true;
    const text = problem.what ? inWords(problem) : problem.message;
    this.put(el("p", { class: "problem" }, text));
    if (problem.what && ofFiles.test(problem.fix ?? "")) this.reader().open = true;
  }

  /** reader returns the settings of how the files are read, which past assays share with the library. */
  reader() { return this.card.querySelector(".reading") ?? this.card.previousElementSibling.querySelector(".reading"); }

  put(...parts) {
    this.out.classList.remove("stale");
    this.out.replaceChildren(...parts);
  }

  display(p) {
    const name = p.files.length > 1 ? `${p.files[0]} and ${count(p.files.length - 1, "file")} more` : p.files[0];
    const parts = [el("p", { class: "file" }, el("strong", {}, name), ` ${p.past != null ? `${count(p.past, "past assay")}, ` : ""}${count(p.rows, "row")}`)];
    if (p.support) {
      parts.push(el("p", { class: "counts" },
        el("span", { class: "active" }, `${grouped(p.support.active)} active`), " ",
        el("span", { class: "inactive" }, `${grouped(p.support.inactive)} inactive`),
        ` by column ${p.support.column}${p.support.rule ? `, active is ${p.support.rule}` : ""}`));
    }
    if (this.given > this.files.length) parts.push(el("p", { class: "problem" }, `Only the first of the ${this.given} files is read. Send all measured molecules in one file.`));
    if (p.problem) parts.push(el("p", { class: "problem" }, inWords(p.problem)));
    const findings = p.said.filter((line) => !p.support || !/^[^:]*: label [^;]*$/.test(line) || /not decided|without/.test(line));
    if (findings.length) parts.push(el("ul", { class: "findings" }, ...findings.map((line) => el("li", {}, line))));
    const unread = p.molecules.filter((m) => m.reason);
    if (unread.length) {
      parts.push(el("details", { class: "unread" }, el("summary", {}, `${count(unread.length, "molecule")} of the first ${p.molecules.length} cannot be read`),
        el("ul", {}, ...unread.map((m) => el("li", {}, `row ${m.row}${m.name ? ` (${m.name})` : ""}: ${m.reason}`)))));
    }
    parts.push(el("ul", { class: "strip", tabindex: "0", "aria-label": "The first molecules" }, ...p.molecules.filter((m) => !m.reason).map((m) =>
      el("li", { class: m.label || false }, structure(m.smiles, m.name, 120, 84), el("span", {}, [m.label, m.name].filter(Boolean).join(" · ") || `row ${m.row}`)))));
    this.put(...parts);
    if (p.problem && ofFiles.test(p.problem.fix ?? "")) this.reader().open = true;
  }
}
