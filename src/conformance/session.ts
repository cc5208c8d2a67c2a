/** One run against one service: who asks, about which payment, and everything that was answered. */
import { HTTP_STATUS, isErrorCode } from '../api/errors.ts';
import { CLIENT_ROUTES } from '../api/routes.ts';
import type { Ask, Asked, Heard } from './ask.ts';

/** What a service's owner gives to the suite. */
export type Given = {
  publishableKey: string;
  clientSecret: string;
  /** A number that pays: without it nothing is ever charged. */
  payWith: string | null;
  /** A number that is declined, so that a refusal by the bank can be looked at before paying. */
  declineWith: string | null;
  /** A publishable key of another account. */
  otherKey: string | null;
  /** A publishable key that was revoked. */
  revokedKey: string | null;
  /** Whether to ask until the service refuses. */
  exhaustRateLimit: boolean;
};

export type ClientRoute = keyof typeof CLIENT_ROUTES;
export const ROUTES: readonly ClientRoute[] = ['retrieve', 'confirm', 'release'];

/** What differs from a rightful request. `null` leaves a header out. */
type Change = { headers?: Readonly<Record<string, string | null>>; method?: string; body?: string };

/** The expectation of a rule that was not met. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
  readonly expected: string;
  readonly came: string;

  constructor(expected: string, came: string) {
    super(`expected ${expected}; came ${came}`);
    this.expected = expected;
    this.came = came;
  }
}

/** A rule that cannot be looked at, and why. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** An answer beside what was asked. */
export type Exchange = { asked: Asked; heard: Heard };

/** What the checks ask with. */
export type Session = {
  given: Given;
  /** Everything that was answered up to now. */
  exchanges: readonly Exchange[];
  /** A rightful request of a browser, or one that differs from it as told. */
  post(route: ClientRoute, body: unknown, change?: Change): Promise<Heard>;
  /** Any other request. */
  ask(asked: Asked): Promise<Heard>;
  /** The same without waiting where the service says so. */
  askAtOnce(asked: Asked): Promise<Heard>;
  /** The payment as the service shows it. Throws a `Mismatch` where it does not. */
  view(): Promise<Record<string, unknown>>;
  /** The same, as it was when it was last looked at: a service counts how often it is asked. */
  latestView(): Promise<Record<string, unknown>>;
  wait(ms: number): Promise<void>;
  /** Milliseconds since the epoch. */
  now(): number;
};

/** What a run needs besides the service. */
export type Surroundings = {
  wait(ms: number): Promise<void>;
  now(): number;
  /** Tells a person why nothing seems to happen. */
  say(line: string): void;
};

const TIMES_TO_WAIT = 5;

/** A session that waits where it is told to wait. */
export const createSession = (given: Given, ask: Ask, { wait, now, say }: Surroundings): Session => {
  const exchanges: Exchange[] = [];

  const askAtOnce = async (asked: Asked): Promise<Heard> => {
    const heard = await ask(asked).catch((error: Error & { code?: string }) => {
      throw new Mismatch('an answer', `none (${error.code ?? error.message})`);
    });
    exchanges.push({ asked, heard });
    return heard;
  };

  const askPatiently = async (asked: Asked): Promise<Heard> => {
    for (let times = 0; ; times += 1) {
      const heard = await askAtOnce(asked);
      if (heard.status !== 429 || times === TIMES_TO_WAIT) return heard;
      const seconds = secondsIn(heard);
      say(`The service asks to wait ${seconds} seconds.`);
      await wait(seconds * 1000);
    }
  };

  const post: Session['post'] = (route, body, change = {}) => {
    const headers: Record<string, string> = {
      authorization: `Bearer ${given.publishableKey}`,
      'content-type': 'application/json',
    };
    for (const [name, value] of Object.entries(change.headers ?? {})) {
      if (value === null) delete headers[name];
      else headers[name] = value;
    }
    return askPatiently({
      method: change.method ?? 'POST',
      path: CLIENT_ROUTES[route],
      headers,
      body: change.body ?? JSON.stringify(body),
    });
  };

  let latest: Record<string, unknown> | null = null;
  const view = async () => {
    const heard = await post('retrieve', { client_secret: given.clientSecret });
    expectStatus(heard, 200);
    latest = objectIn(heard);
    return latest;
  };

  return {
    given,
    exchanges,
    post,
    ask: askPatiently,
    askAtOnce,
    view,
    latestView: async () => latest ?? view(),
    wait,
    now,
  };
};

/** The seconds of `Retry-After`, or the mismatch where it has none. */
export const secondsIn = ({ headers }: Heard): number => {
  const text = headers['retry-after'] ?? '';
  if (!/^\d{1,5}$/.test(text) || Number(text) < 1) {
    throw new Mismatch(
      'a 429 with Retry-After in whole seconds',
      text === '' ? 'one without' : JSON.stringify(text),
    );
  }
  return Number(text);
};

/** The JSON object of an answer. */
export const objectIn = (heard: Heard): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(heard.text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {}
  throw new Mismatch('a JSON object', shown(heard));
};

/** The `error` of an answer, or an empty object. */
export const errorIn = (heard: Heard): Record<string, unknown> => {
  const { error } = objectIn(heard);
  return typeof error === 'object' && error !== null ? { ...error } : {};
};

/** An answer in a few words: nothing of it is private but what the suite itself has sent. */
export const shown = ({ status, text }: Heard): string => {
  try {
    const { error } = JSON.parse(text);
    if (typeof error?.code === 'string') return `${status} ${error.code}`;
  } catch {}
  return `${status}${text === '' ? ' without a body' : ` ${JSON.stringify(text.slice(0, 80))}`}`;
};

export const expectStatus = (heard: Heard, status: number): void => {
  if (heard.status !== status) throw new Mismatch(String(status), shown(heard));
};

/** That a request was refused with one of these codes, and with the status that belongs to it. */
export const expectRefusal = (heard: Heard, ...codes: string[]): void => {
  const wanted = codes.map((code) => `${isErrorCode(code) ? HTTP_STATUS[code] : 400} ${code}`);
  if (heard.status < 400 || !wanted.includes(`${heard.status} ${errorIn(heard).code}`)) {
    throw new Mismatch(wanted.join(' or '), shown(heard));
  }
};

/** That two things are the same, told in JSON where they are not. */
export const expectSame = (what: string, came: unknown, expected: unknown): void => {
  const [left, right] = [JSON.stringify(came), JSON.stringify(expected)];
  if (left !== right) throw new Mismatch(`${what} ${right}`, `${left}`);
};
