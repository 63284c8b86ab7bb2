// The tabs, one for each assay.

import { Assay } from "./assay.js";
import * as api from "./api.js";
import { el } from "./dom.js";

const tabs = document.getElementById("tabs"), main = document.getElementById("assays"), add = document.getElementById("add");
const all = []; // { assay, tab, panel }
const most = 6;
let made = 0;

function open() {
  const n = ++made;
  const panel = document.getElementById("assay").content.firstElementChild.cloneNode(true);
  panel.id = `assay-${n}`;
  const label = el("span", {}, `Assay ${n}`);
  const tab = el("button", { type: "button", role: "tab", id: `tab-${n}`, "aria-controls": panel.id, on: { click: () => select(one), keydown: keys } }, label);
  panel.setAttribute("aria-labelledby", tab.id);
  main.append(panel);
  tabs.append(tab);
  const one = { panel, tab };
  one.assay = new Assay(panel, (file) => { label.textContent = `Assay ${n}: ${file}`; });
  const before = all.find((o) => o.tab.getAttribute("aria-selected") === "true");
  if (before?.assay.library.files.length) one.assay.library.take(before.assay.library.files); // usually the same one
  all.push(one);
  select(one);
  add.disabled = all.length === most;
}

function select(one) {
  for (const o of all) {
    const chosen = o === one;
    o.panel.hidden = !chosen;
    o.tab.setAttribute("aria-selected", String(chosen));
    o.tab.tabIndex = chosen ? 0 : -1;
  }
}

function keys(e) {
  const at = all.findIndex((o) => o.tab === e.currentTarget);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 }[e.key];
  if (to === undefined) return;
  const one = all[(to + all.length) % all.length];
  select(one);
  one.tab.focus();
  e.preventDefault();
}

add.addEventListener("click", open);
// A file that misses the card must not replace the page.
for (const event of ["dragover", "drop"]) window.addEventListener(event, (e) => e.preventDefault());
// The server keeps nothing for a page that is gone, and keeps what a page still shows.
window.addEventListener("pagehide", () => all.forEach((o) => o.assay.forget()));
setInterval(() => all.forEach((o) => o.assay.id && !o.assay.busy && api.job(o.assay.id).catch((err) => { if (err.status === 404) { o.assay.id = null; o.assay.lost(err); } })), 60_000);
open();
