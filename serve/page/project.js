// The file format of a project: a multipart form, compressed by gzip. The part "project" describes the
// assays. The other parts are files and results, to which it refers by their keys.

const format = "pacia project", version = 1, most = 1e9; // bytes, unpacked
const mostAssays = 1000, mostFiles = 100, mostParts = 200, longest = 1e5; // of an assay: files of a field, parts of a request; characters
const keys = new WeakMap(); // of files: a file keeps its key while the page is open

/** keyOf returns the key by which a project refers to a file. */
function keyOf(blob) {
  if (!keys.has(blob)) keys.set(blob, crypto.getRandomValues(new Uint32Array(3)).join("-"));
  return keys.get(blob);
}

/** describe converts the states of assays (Assay.state) into { about, files }. */
export function describe(assays, chosen) {
  const files = new Map();
  const named = (v) => {
    if (v instanceof Blob) {
      files.set(keyOf(v), v);
      return { file: keyOf(v) };
    }
    if (Array.isArray(v)) return v.map(named);
    if (v && typeof v === "object") return Object.fromEntries(Object.entries(v).map(([name, one]) => [name, named(one)]));
    return v;
  };
  return { about: { format, version, chosen, assays: assays.map(named) }, files };
}

/** assaysOf reads a description, and throws an error if it is not the description of a project. */
export function assaysOf({ about, files }) {
  const none = new Error("it is not a project of pacia");
  if (about?.format !== format || !Number.isInteger(about.version)) throw none;
  if (about.version > version) throw new Error("a later version of pacia wrote it");
  for (const [key, blob] of files) keys.set(blob, key);
  const is = (v, type) => { if (typeof v !== type || v.length > longest) throw none; return v; };
  const list = (v, one, length) => { if (!Array.isArray(v) || v.length > length) throw none; return v.map(one); };
  const place = (v) => { if (!Number.isInteger(v) || v < -1 || v >= about.assays.length) throw none; return v; };
  const file = (v) => files.get(v?.file) ?? (() => { throw new Error("it lacks a file"); })();
  const pair = (v) => [is(v?.[0], "string"), typeof v[1] === "string" ? v[1] : file(v[1])];
  const assays = list(about.assays, (a) => ({
    name: is(a?.name, "string"), stale: a.stale === true, against: list(a.against ?? [], place, mostAssays),
    fields: list(a.fields, (f) => [is(f?.[0], "string"), typeof f[1] === "boolean" ? f[1] : is(f[1], "string")], mostParts),
    support: list(a.support, file, mostFiles), library: list(a.library, file, mostFiles), history: list(a.history ?? [], file, mostFiles),
    sent: a.sent && list(a.sent, pair, mostParts), results: a.results && file(a.results), measured: a.measured && file(a.measured),
  }), mostAssays);
  if (!assays.length) throw none;
  return { assays, chosen: Math.min(assays.length - 1, Math.max(0, about.chosen | 0)) };
}

/** pack makes the file of a project. */
export async function pack({ about, files }) {
  const form = new FormData();
  form.append("project", JSON.stringify(about));
  for (const [key, blob] of files) form.append(key, blob, blob.name ?? "results.zip");
  return new Response(new Response(form).body.pipeThrough(new CompressionStream("gzip"))).blob();
}

/** unpack reads the file of a project. The checksum of gzip reveals damage. */
export async function unpack(file) {
  let size = 0;
  const counted = new TransformStream({ transform(chunk, to) {
    size += chunk.length;
    if (size > most) throw new Error("it is too large");
    to.enqueue(chunk);
  } });
  let text;
  try {
    text = await new Response(file.stream().pipeThrough(new DecompressionStream("gzip")).pipeThrough(counted)).blob();
  } catch {
    throw new Error(size > most ? "it is too large" : "it is cut or damaged, or not a project of pacia");
  }
  try {
    const [first] = (await text.slice(0, 200).text()).split("\r\n");
    const form = await new Response(text, { headers: { "Content-Type": `multipart/form-data; boundary=${first.slice(2)}` } }).formData();
    const files = new Map([...form].filter(([, part]) => part instanceof File));
    return { about: JSON.parse(form.get("project")), files };
  } catch {
    throw new Error("it is not a project of pacia");
  }
}
