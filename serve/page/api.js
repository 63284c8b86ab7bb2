// The requests of the page. All of them go through these functions.

/** A Refusal is a problem that the server reports. */
export class Refusal extends Error {
  constructor(problem, status) {
    super(problem.message);
    this.problem = problem;
    this.status = status;
  }
}

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch (err) {
    if (err.name === "AbortError") throw err;
    throw new Refusal({ message: "The server does not answer. Is pacia serve still running?" }, 0);
  }
  if (answer.status === 204) return null;
  const value = await answer.json().catch((err) => {
    if (err.name === "AbortError") throw err;
    if (answer.ok) throw new Refusal({ message: "The server's answer was cut off. Try again." }, 0);
  });
  if (!answer.ok) throw new Refusal(value?.error ?? { message: `The server answers ${answer.status}.` }, answer.status);
  return value;
}

/** unchanged refuses files that were written after they were chosen, which a browser can no longer read. */
export async function unchanged(files) {
  for (const f of files) {
    try {
      await f.slice(0, 1).arrayBuffer();
    } catch {
      throw new Refusal({ message: `${f.name} has changed since it was chosen, or is gone: choose it again.` }, 0);
    }
  }
}

export const read = (form, signal) => ask("/v1/read", { method: "POST", body: form, signal });
export const rank = (form, signal) => ask("/v1/rank", { method: "POST", body: form, signal });
export const job = (id) => ask(`/v1/jobs/${id}`);
export const rows = (id, query, signal) => ask(`/v1/jobs/${id}/rows?${query}`, { signal });
export const outcome = (id, form) => ask(`/v1/jobs/${id}/outcome`, { method: "POST", body: form });
export const example = () => ask("/v1/example");

/** results fetches the saved results of a job, which can be sent again with its request. */
export const results = async (id) => {
  const lost = new Refusal({ message: "The results cannot be kept with the project: the server did not send them." }, 0);
  const answer = await fetch(`/v1/jobs/${id}/results.zip`).catch(() => null);
  if (!answer?.ok) throw lost;
  return answer.blob().catch(() => { throw lost; });
};

/** forget removes a job; the request also survives the end of the page. */
export const forget = (id) => fetch(`/v1/jobs/${id}`, { method: "DELETE", keepalive: true }).catch(() => {});

export const file = (id, name, query) => `/v1/jobs/${id}/${name}?${query}`;
export const drawing = (smiles, width, height, ground, colours) => `/v1/draw?${new URLSearchParams({ smiles, width, height, ground, ...colours })}`;
