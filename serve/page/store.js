// The browser's store of projects, in IndexedDB: a description of each project, and the files and
// results to which it refers, each written once. The store is never sent anywhere.

const open = () => new Promise((done, failed) => {
  const ask = indexedDB.open("pacia", 1);
  ask.onupgradeneeded = () => ["projects", "files"].forEach((name) => ask.result.createObjectStore(name));
  ask.onsuccess = () => done(ask.result);
  ask.onerror = () => failed(ask.error);
});

const result = (ask) => new Promise((done, failed) => {
  ask.onsuccess = () => done(ask.result);
  ask.onerror = () => failed(ask.error);
});

const ended = (t) => new Promise((done, failed) => {
  t.oncomplete = done;
  t.onabort = t.onerror = () => failed(t.error);
});

const of = (id) => IDBKeyRange.bound(`${id}/`, `${id}/\uffff`); // the keys of a project's files

/** A Store keeps the project of one window. */
export class Store {
  /** free opens the project of this window or, if it has none, the latest one that no other window shows, or a new one. */
  static async free() {
    const s = new Store();
    s.db = await open();
    const all = await result(s.db.transaction("projects").objectStore("projects").getAll());
    const mine = sessionStorage.getItem("project");
    const last = all.sort((a, b) => (b.id === mine) - (a.id === mine) || b.at - a.at).map((p) => p.id);
    for (const id of last.filter((id) => id === mine || navigator.locks)) if (await s.take(id)) return s;
    await s.take(crypto.getRandomValues(new Uint32Array(2)).join("-"));
    return s;
  }

  /** take locks a project while the window is open; false if another window holds it. */
  async take(id) {
    const held = !navigator.locks || await new Promise((got) => {
      navigator.locks.request(`pacia ${id}`, { ifAvailable: true }, (lock) => {
        got(lock !== null);
        return lock && new Promise(() => {}); // until the window is closed
      });
    });
    if (!held) return false;
    this.id = id;
    this.written = new Set();
    sessionStorage.setItem("project", id);
    return true;
  }

  /** load returns the { about, files } that save was given; null if nothing was saved. */
  async load() {
    const t = this.db.transaction(["projects", "files"]), files = t.objectStore("files");
    const [one, keys, blobs] = await Promise.all([result(t.objectStore("projects").get(this.id)), result(files.getAllKeys(of(this.id))), result(files.getAll(of(this.id)))]);
    if (!one) return null;
    this.written = new Set(keys);
    const short = (key) => key.slice(this.id.length + 1);
    return { about: one.about, files: new Map(keys.map((key, i) => [short(key), blobs[i]])) };
  }

  /** save writes a description and those of its files that are not stored yet. */
  async save({ about, files }) {
    const t = this.db.transaction(["projects", "files"], "readwrite"), kept = new Set();
    const end = ended(t);
    for (const [key, blob] of files) {
      const full = `${this.id}/${key}`;
      kept.add(full);
      if (!this.written.has(full)) t.objectStore("files").put(blob, full);
    }
    for (const key of this.written) if (!kept.has(key)) t.objectStore("files").delete(key);
    t.objectStore("projects").put({ id: this.id, at: Date.now(), about }, this.id);
    await end;
    this.written = kept;
  }
}
