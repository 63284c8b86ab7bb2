// The tabs, one for each assay, and the project that they form.

import { Assay } from "./assay.js";
import * as api from "./api.js";
import { el } from "./dom.js";
import { choose, chosen as against, files, offer, uses } from "./against.js";
import { Store } from "./store.js";
import { assaysOf, describe, pack, unpack } from "./project.js";

const at = (id) => document.getElementById(id);
const tabs = at("tabs"), main = at("assays"), add = at("add"), notice = at("notice");
let all = []; // { assay, tab, panel }
const most = 6;
let made = 0;

/** open adds an assay, with the state that a project has of it, or an empty one. */
function open(state) {
  const n = ++made;
  const panel = at("assay").content.firstElementChild.cloneNode(true);
  panel.id = `assay-${n}`;
  const label = el("span", {}, `Assay ${n}`);
  const tab = el("button", { type: "button", role: "tab", id: `tab-${n}`, "aria-controls": panel.id, on: { click: () => select(one), keydown: keys } }, label);
  panel.setAttribute("aria-labelledby", tab.id);
  main.append(panel);
  tabs.append(tab);
  const one = { panel, tab, file: "" };
  const name = panel.querySelector("[name=assay]");
  const show = () => { label.textContent = name.value.trim() || `Assay ${n}${one.file ? `: ${one.file}` : ""}`; };
  name.placeholder = `Assay ${n}`;
  name.addEventListener("input", show);
  panel.querySelector(".close").addEventListener("click", () => close(one));
  one.assay = new Assay(panel, (file) => { one.file = file; show(); });
  one.assay.touched = keep;
  one.assay.renewed = () => outdate(one);
  one.assay.against = () => files(panel, all.filter((o) => o !== one));
  panel.querySelector(".options").addEventListener("toggle", () => offer(panel, all.filter((o) => o !== one)));
  panel.addEventListener("change", keep);
  const before = chosen();
  if (!state && before?.assay.library.files.length) one.assay.library.take(before.assay.library.files); // usually the same one
  if (!state && before?.assay.past.files.length) one.assay.past.take(before.assay.past.files);
  all.push(one);
  if (state) {
    name.value = state.name;
    show();
  }
  select(one);
  return one;
}

const chosen = () => all.find((o) => o.tab.getAttribute("aria-selected") === "true");
const filled = (o) => o.assay.support.files.length + o.assay.library.files.length + o.assay.past.files.length > 0;

function select(one) {
  for (const o of all) {
    const is = o === one;
    o.panel.hidden = !is;
    o.tab.setAttribute("aria-selected", String(is));
    o.tab.tabIndex = is ? 0 : -1;
  }
  offer(one.panel, all.filter((o) => o !== one));
  add.disabled = all.length >= most;
  keep();
}

/** opposed returns the assays that are ranked against one. */
const opposed = (one) => all.filter((o) => o !== one && uses(o.panel, one));

/** outdate marks the results of the assays that are ranked against one, whose molecules changed. */
const outdate = (one) => opposed(one).forEach((o) => o.assay.outdate());

/** drop removes an assay and deletes its results on the server. */
function drop(one) {
  outdate(one);
  one.assay.touched = () => {};
  one.assay.close();
  one.tab.remove();
  one.panel.remove();
  all = all.filter((o) => o !== one);
}

function close(one) {
  const loss = opposed(one).length ? " Another assay is ranked against it, and then no longer is." : "";
  if (filled(one) && !confirm(`Close this assay? Its files, settings and results leave the project.${loss}`)) return;
  const i = all.indexOf(one);
  drop(one);
  const next = all[Math.min(i, all.length - 1)] ?? open();
  select(next);
  next.tab.focus();
}

function keys(e) {
  const i = all.findIndex((o) => o.tab === e.currentTarget);
  if (e.key === "Delete") return close(all[i]);
  const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: all.length - 1 }[e.key];
  if (to === undefined) return;
  const one = all[(to + all.length) % all.length];
  select(one);
  one.tab.focus();
  e.preventDefault();
}

/** project describes the current assays. */
const project = () => describe(all.map((o) => ({ name: o.panel.querySelector("[name=assay]").value.trim(), against: against(o.panel, all), ...o.assay.state() })), all.indexOf(chosen()));

function notify(text) {
  notice.hidden = !text;
  notice.textContent = text;
}

let store, waiting, opening = true;
/** keep writes the project to the browser's store after a short delay. */
function keep() {
  clearTimeout(waiting);
  if (store && !opening) waiting = setTimeout(() => write().catch((err) => notify(`This browser does not keep the project: ${err.message}. Save it as a file.`)), 250);
}
async function write() {
  clearTimeout(waiting);
  await store.save(project());
}

/** show replaces the current assays by those of a project. */
async function show({ assays, chosen }) {
  opening = true;
  all.slice().forEach(drop);
  made = 0;
  const opened = assays.slice(0, most).map((state) => [open(state), state]);
  select(opened[chosen]?.[0] ?? all[0]);
  opened.unshift(...opened.splice(chosen, 1)); // the visible assay is restored first
  opening = false;
  const ready = opened.map(([one, state]) => one.assay.restore(state)); // sets the files before it returns
  for (const [one, state] of opened) choose(one.panel, all, state.against);
  await Promise.all(ready);
}

at("save").addEventListener("click", async () => {
  try {
    await Promise.all(all.map((o) => api.unchanged([...o.assay.support.files, ...o.assay.library.files, ...o.assay.past.files])));
    const url = URL.createObjectURL(await pack(project()));
    const name = chosen().panel.querySelector("[name=assay]").value.trim() || `project ${new Date().toISOString().slice(0, 10)}`;
    el("a", { href: url, download: `${name}.pacia` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    notify("");
  } catch (err) {
    notify(`The project cannot be saved: ${err.message}`);
  }
});

at("open").addEventListener("change", async (e) => {
  const [file] = e.target.files;
  if (!file) return;
  try {
    const read = assaysOf(await unpack(file));
    e.target.value = ""; // the same file may be chosen again
    if (all.some(filled) && !confirm("The project in the file replaces this one. Continue?")) return;
    notify("");
    await show(read);
    keep();
  } catch (err) {
    e.target.value = "";
    notify(`${file.name} cannot be opened: ${err.message}.`);
  }
});

at("fresh").addEventListener("click", () => {
  if (all.some(filled) && !confirm("Begin a new project? The files, settings and results of this one are deleted here.")) return;
  notify("");
  all.slice().forEach(drop);
  made = 0;
  open().tab.focus();
});

add.addEventListener("click", () => open());
// A file or a link dropped outside a card must not replace the page. Text can be dropped into fields.
for (const event of ["dragover", "drop"]) window.addEventListener(event, (e) => {
  if (e.dataTransfer.types.includes("Files") || !e.target.matches?.("textarea, input:not([type=file], [type=checkbox], [type=range])")) e.preventDefault();
});
// The server deletes the jobs of a closed page and keeps those that a page still shows.
window.addEventListener("pagehide", () => {
  if (store && !opening) write().catch(() => {});
  all.forEach((o) => o.assay.forget());
});
window.addEventListener("pageshow", (e) => e.persisted && all.forEach((o) => o.assay.alive()));
setInterval(() => all.forEach((o) => o.assay.alive()), 60_000);

open();
try {
  store = await Store.free();
  const last = await store.load();
  if (last) await show(assaysOf(last));
} catch (err) {
  notify(`The project of this browser cannot be opened: ${err.message}.`);
}
opening = false;
