// The table of ranked molecules. The server sorts, filters and pages.

import * as api from "./api.js";
import { why } from "./why.js";
import { el, structure, grouped, count, percent, duration } from "./dom.js";

// Columns that the server does not list; the others are those of the ranked table.
const columns = [{ name: "smiles", title: "Structure", place: 12 }, { name: "name", title: "Name", sort: "name", place: 14 }];

/** what returns a button that explains a column; null for columns without an explanation. */
function what({ name, title }) {
  return document.getElementById(`what-${name}`) && el("button", { type: "button", class: "what", popovertarget: `what-${name}`, "aria-label": `What is ${title.toLowerCase()}?` }, "?");
}

export class Ranked {
  constructor(section, failed) {
    this.section = section;
    this.failed = failed;
    this.find = (s) => section.querySelector(s);
    this.state = { sort: "rank", order: "asc", offset: 0 };
    let typing;
    for (const name of ["domain", "least", "q", "new", "picks", "groups", "rows"]) {
      this.find(`[name=${name}]`).addEventListener("input", () => {
        this.find(".range output").textContent = Number(this.find("[name=least]").value).toFixed(2).replace(/\.?0+$/, "");
        clearTimeout(typing);
        typing = setTimeout(() => { this.state.offset = 0; this.load(); }, 150);
      });
    }
    // The field of conditions is read on change, not on input: an incomplete condition is not valid.
    this.find("[name=where]").addEventListener("change", () => { this.state.offset = 0; this.load(); });
    for (const name of ["sort", "descending"]) this.find(`[name=${name}]`).addEventListener("change", () => {
      this.state = { sort: this.find("[name=sort]").value, order: this.find("[name=descending]").checked ? "desc" : "asc", offset: 0 };
      this.load();
    });
    const turn = (to) => () => { this.state.offset = Math.max(0, to()); this.load().then(() => this.find(".count").scrollIntoView({ block: "nearest" })); };
    this.find(".first").addEventListener("click", turn(() => 0));
    this.find(".back").addEventListener("click", turn(() => this.state.offset - this.size()));
    this.find(".next").addEventListener("click", turn(() => this.state.offset + this.size()));
  }

  size() { return Number(this.find("[name=rows]").value); }

  show(status) {
    this.status = status;
    this.table = [];
    this.state = { sort: "rank", order: "asc", offset: 0 };
    this.find("[name=domain]").value = this.find("[name=q]").value = this.find("[name=where]").value = "";
    this.find("[name=least]").value = 0;
    this.find("[name=new]").checked = this.find("[name=picks]").checked = this.find("[name=groups]").checked = false;
    this.find(".groups").hidden = !status.grouped;
    this.find(".picks").hidden = !status.picked;
    this.find(".range output").textContent = "0";
    this.find("tbody").replaceChildren(); // rows of an earlier ranking must not stay if these cannot be fetched
    return this.load();
  }

  /** onlyPicks shows only the picked molecules. */
  onlyPicks() {
    this.find("[name=picks]").checked = true;
    this.state.offset = 0;
    return this.load();
  }

  /** query returns the parameters that select and order rows, without those of the page. */
  query() {
    const q = new URLSearchParams({ sort: this.state.sort, order: this.state.order });
    if (this.find("[name=domain]").value) q.set("domain", this.find("[name=domain]").value);
    if (Number(this.find("[name=least]").value)) q.set("min_similarity", this.find("[name=least]").value);
    if (this.find("[name=q]").value.trim()) q.set("q", this.find("[name=q]").value.trim());
    if (this.find("[name=where]").value.trim()) for (const c of this.find("[name=where]").value.split(/\s+and\s+/i)) q.append("where", c.trim());
    if (this.find("[name=new]").checked) q.set("support", "no");
    if (this.find("[name=groups]").checked) q.set("groups", "first");
    if (this.find("[name=picks]").checked) q.set("picks", "only");
    return q;
  }

  async load() {
    this.loading?.abort();
    this.loading = new AbortController();
    const q = this.query(), { id } = this.status;
    for (const [name, file] of [["csv", "ranked.csv"], ["xlsx", "ranked.xlsx"], ["sdf", "ranked.sdf"], ["unread", "unread.csv"]]) this.find(`.${name}`).href = api.file(id, file, name === "unread" ? "" : q);
    this.find("a.unread").hidden = !this.status.unread;
    q.set("offset", this.state.offset);
    q.set("limit", this.size());
    try {
      const page = await api.rows(id, q, this.loading.signal);
      this.table = page.table;
      this.head();
      this.body(page);
      this.wrong("");
      this.failed(null);
    } catch (err) {
      if (err.status === 404) this.failed(err);
      else if (err.name !== "AbortError") this.wrong(err.message);
    }
  }

  /** wrong shows an error beside the fields; the rows stay. */
  wrong(text) {
    this.find(".problem").hidden = !text;
    this.find(".problem").textContent = text;
  }

  /** shown returns the columns of the table in their order. */
  shown() { return [...columns, ...this.table].filter((c) => c.place).sort((a, b) => a.place - b.place); }

  head() {
    const { sort, order } = this.state, select = this.find("[name=sort]"), sorting = this.shown().filter((c) => c.sort);
    const known = (name) => name === "similarity" || sorting.some((c) => c.sort === name);
    const library = this.status.columns.filter((name) => name !== "name").map((name) => new Option(name, known(name) ? `column:${name}` : name));
    select.replaceChildren(...sorting.map((c) => new Option(c.title.toLowerCase(), c.sort)), ...library);
    select.value = sort;
    this.find("[name=descending]").checked = order === "desc";
    this.find("thead").replaceChildren(el("tr", {}, ...this.shown().map((c) => {
      if (!c.sort) return el("th", { scope: "col" }, c.title, what(c));
      const now = c.sort === sort;
      const button = el("button", { type: "button", on: { click: () => this.by(c.sort, c.down) } }, c.title, el("span", { "aria-hidden": "true", class: "arrow" }, now ? (order === "asc" ? "↑" : "↓") : ""));
      return el("th", { scope: "col", "aria-sort": now ? (order === "asc" ? "ascending" : "descending") : "none" }, button, what(c));
    }), el("th", { scope: "col" }, el("span", { class: "unseen" }, "More"))));
  }

  async by(sort, down) {
    const s = this.state;
    const order = s.sort === sort ? (s.order === "asc" ? "desc" : "asc") : down ? "desc" : "asc";
    this.state = { sort, order, offset: 0 };
    await this.load();
    const at = this.shown().findIndex((c) => c.sort === sort); // the header was replaced and has lost the focus
    this.find("thead").querySelectorAll("th")[at]?.querySelector("button")?.focus();
  }

  /** turns enables the buttons to other pages. The focus of one that is disabled moves to its opposite. */
  turns(backwards, forwards) {
    const [first, back, next] = ["first", "back", "next"].map((name) => this.find("." + name)), focused = document.activeElement;
    first.disabled = back.disabled = !backwards;
    next.disabled = !forwards;
    if (focused === next && !forwards) back.focus();
    if ((focused === first || focused === back) && !backwards) next.focus();
  }

  body(page) {
    const { seconds } = this.status.origin ?? this.status;
    const filters = (this.status.filters ?? []).map((f) => `${f.filter} ${f.text}: ${f.left_out ? grouped(f.left_out) : "none"}${f.also ? `, also read as ${f.also}` : ""}${f.note ? ` (${f.note})` : ""}`);
    const left = filters.length || this.status.left_out ? `, ${grouped(this.status.left_out ?? 0)} left out by structure${filters.length ? ` [${filters.join("; ")}]` : ""},` : "";
    this.find(".count").textContent = (page.of === page.all ? count(page.all, "molecule") : `${grouped(page.of)} of ${count(page.all, "molecule")}`) + left + ` ranked in ${seconds < 10 ? seconds.toFixed(1) + " s" : duration(seconds)}`;
    const last = page.offset + page.rows.length;
    this.find(".where").textContent = page.of ? `${grouped(page.offset + 1)} to ${grouped(last)} of ${grouped(page.of)}` : "none";
    this.turns(page.offset > 0, last < page.of);
    const rows = page.rows.map((r) => this.row(r));
    if (!rows.length) rows.push(el("tr", {}, el("td", { colspan: this.shown().length + 1, class: "none" }, page.all ? "No molecule is left by these filters." : "There is nothing to rank.")));
    this.find("tbody").replaceChildren(...rows.flat());
  }

  row(r) {
    const fill = el("span", { class: "fill own" });
    fill.style.width = `${100 * r.probability}%`;
    const cells = {
      rank: [el("span", { class: "rank" }, grouped(r.rank))],
      smiles: [structure(r.smiles, r.name)],
      name: [el("span", { class: "name" }, r.name || el("code", {}, r.smiles)), r.in_support ? el("span", { class: "mark" }, `measured: ${r.in_support}`) : null, r.pick ? el("span", { class: "mark" }, `pick ${r.pick}`) : null, this.group(r)],
      probability: [el("span", { class: "track", "aria-hidden": "true" }, fill), el("span", { class: "value" }, percent(r.probability))],
      selectivity: [el("span", { class: "value" }, r.selectivity != null ? percent(r.selectivity) : ""), ...(r.against ?? []).map((a) => el("span", { class: "opposed" }, `${a.name} ${percent(a.probability).replace(" ", "\u00a0")}`))],
      potency: [el("span", { class: "value" }, r.potency?.value.toFixed(2) ?? ""), r.potency ? el("span", { class: "opposed" }, `${end(r.potency.low)} to ${end(r.potency.high)}`) : null],
      nearest_active: [near(r.nearest_active)],
      nearest_inactive: [near(r.nearest_inactive)],
      past: [el("span", { class: "value" }, r.past ? `${grouped(r.past_active)} of ${grouped(r.past)}` : "")],
      domain: [el("span", { class: `domain ${r.domain}` }, r.domain ?? "")],
    };
    const more = el("tr", { class: "more", hidden: true }, el("td", { colspan: this.shown().length + 1 }));
    const button = el("button", { type: "button", class: "quiet", "aria-expanded": "false", "aria-label": `All columns of rank ${r.rank}`, on: { click: () => {
      more.hidden = !more.hidden;
      button.setAttribute("aria-expanded", String(!more.hidden));
      button.textContent = more.hidden ? "more" : "less";
      if (!more.hidden) more.firstChild.replaceChildren(this.details(r));
    } } }, "more");
    const tr = el("tr", {}, ...this.shown().map((c) => el(c.name === "name" ? "th" : "td", c.name === "name" ? { scope: "row", "data-title": c.title } : { "data-title": c.title }, ...(cells[c.name] ?? [el("span", { class: "value" }, r[c.name]?.toFixed(2) ?? "")]))), el("td", { class: "last" }, button));
    return [tr, more];
  }

  /** group returns a button with the number of molecules that share the scaffold; a click lists them. */
  group(r) {
    if (!r.group || r.group.size < 2) return null;
    const name = this.status.grouped, at = this.status.columns.indexOf(name); // scaffold_2 if the library has a column scaffold
    return el("button", { type: "button", class: "quiet group", title: r.group.hits == null ? null : `${r.group.hits.toFixed(1)} of them are expected to be active`, on: { click: () => {
      this.find("[name=where]").value = `${name} = ${r.cells[at]}`;
      this.find("[name=groups]").checked = false;
      this.state.offset = 0;
      this.load();
    } } }, `${grouped(r.group.size)} of this scaffold`);
  }

  /** details returns all columns of a row. */
  details(r) {
    const library = this.status.columns.map((name, i) => [name, r.cells[i]]).filter(([, v]) => v);
    const ranked = this.table.filter((c) => r[c.name] != null && text(r[c.name]) != null).map((c) => [c.name, text(r[c.name])]);
    const all = el("dl", {}, ...[...library, ...ranked].map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
    return el("div", {}, r.reasons ? why(r.reasons) : null, all);
  }
}

const three = (v) => (v == null ? "…" : String(Number(v.toPrecision(3)))); // digits; 3440 and not 3.44e+3
/** text returns a value of a row as text; null for one that is shown in another way. */
function text(v) {
  if (typeof v === "number") return Number.isInteger(v) ? String(v) : v.toPrecision(6);
  if (typeof v === "boolean") return v ? "yes" : "no";
  if (typeof v === "string") return v;
  if (v.value != null) return `${three(v.value)} (${three(v.low)} to ${three(v.high)})`; // an interval
  if (v.smiles && v.tanimoto != null) return `${v.name ? v.name + "  " : ""}${v.smiles}`;
  return null;
}

const end = (v) => v?.toFixed(2) ?? "…"; // of an interval, which may be open
const near = (n) => n && el("span", { class: "near" }, structure(n.smiles, n.name, 100, 70), el("span", { class: "value" }, n.tanimoto.toFixed(2)));
