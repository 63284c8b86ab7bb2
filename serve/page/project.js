// The file format of a project: a multipart form, compressed by gzip. The part "project" describes the
// assays. The other parts are files and results, to which it refers by their keys.

const format = "pacia project", version = 1, most = 1e9; // bytes, unpacked
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
  const is = (v, type) => { if (typeof v !== type) throw none; return v; };
  const list = (v, one) => { if (!Array.isArray(v)) throw none; return v.map(one); };
  const file = (v) => files.get(v?.file) ?? (() => { throw new Error("it lacks a file"); })();
  const pair = (v) => [is(v?.[0], "string"), typeof v[1] === "string" ? v[1] : file(v[1])];
  const assays = list(about.assays, (a) => ({
    name: is(a?.name, "string"), stale: a.stale === true, against: list(a.against ?? [], Number),
    fields: list(a.fields, ([name, value]) => [is(name, "string"), typeof value === "boolean" ? value : is(value, "string")]),
    support: list(a.support, file), library: list(a.library, file),
    sent: a.sent && list(a.sent, pair), results: a.results && file(a.results), measured: a.measured && file(a.measured),
  }));
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
