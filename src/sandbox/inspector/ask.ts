/** What went wrong, in a sentence that can be shown. */
export class Refusal extends Error {
  override name = 'Refusal';
}

const CONTROL = '/_sandbox/';

/** Asks a control route and returns its answer, whose shape the caller states. Rejects with a `Refusal`. */
const ask = async <Answer>(path: string, init: RequestInit): Promise<Answer> => {
  let response: Response;
  try {
    response = await fetch(CONTROL + path, { cache: 'no-store', ...init });
  } catch {
    throw new Refusal('The sandbox does not answer. Is it still running?');
  }
  // Same origin, same release: what comes is what the types of the routes say.
  const answer = await response.json().catch(() => {
    throw new Refusal(`The sandbox answered ${response.status} with something that is no JSON.`);
  });
  if (response.ok) return answer;
  throw new Refusal(String(answer?.error?.message ?? `The sandbox answered ${response.status}.`));
};

export const get = <Answer>(path: string): Promise<Answer> => ask(path, {});

export const remove = (path: string): Promise<unknown> => ask(path, { method: 'DELETE' });

export const post = <Answer = unknown>(path: string, body: object = {}): Promise<Answer> =>
  ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
