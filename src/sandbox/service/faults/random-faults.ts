import * as z from 'zod/mini';
import { BROWSER_ROUTES } from '../core/api-routes.ts';
import { seededBytes } from '../core/ids.ts';
import { FAULTY_ROUTES, type Fault, type FaultyRoute } from './fault.ts';

/** Seeded random values. */
type Draw = {
  /** From 0 (inclusive) to 1 (exclusive). */
  chance(): number;
  /** An integer from 0 to `most`. */
  upTo(most: number): number;
  oneOf<Value>(values: readonly [Value, ...Value[]]): Value;
  seconds(): number;
};

/** All kinds of faults. */
const KINDS = {
  refuse: () => ({ refuse: true }),
  cut_before: () => ({ cut: 'before' }),
  cut_after: () => ({ cut: 'after' }),
  delay: ({ seconds }) => ({ delay_seconds: seconds() }),
  arrive_late: ({ seconds }) => ({ arrives_after: seconds() }),
  never: ({ oneOf }) => ({ never: true, act: oneOf([true, false]) }),
  truncate: ({ upTo }) => ({ truncate_at: upTo(300) }),
  html: ({ oneOf }) => oneOf([{ html: true }, { html: true, status: 503 }]),
  status: ({ oneOf }) => ({
    status: oneOf([200, 204, 302, 400, 403, 404, 408, 409, 413, 425, 451, 500, 502, 503, 504]),
  }),
  // Only a proxy in front of the service answers like this after the service has acted.
  status_after: ({ oneOf }) => ({ status: oneOf([500, 502, 503, 504]), act: true }),
  retry_after: ({ oneOf }) => ({
    retry_after: oneOf([null, '', '0', '1', '5', '-1', '1.5', 'Wed, 21 Oct 2026 07:28:00 GMT', '1000000000']),
  }),
  repeat: ({ oneOf }) => ({ deliveries: oneOf([2, 3]) }),
  repeat_and_cut: ({ oneOf }) => ({ deliveries: oneOf([2, 3]), cut: 'after' }),
  again_later: ({ seconds }) => ({ again_after: seconds() }),
} as const satisfies Readonly<Record<string, (draw: Draw) => Fault>>;

type Kind = keyof typeof KINDS;
const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name);
export const FAULT_KINDS: readonly Kind[] = Object.keys(KINDS).filter(isKind);

/** `rate` (0 to 1) is the share of requests that get a fault. */
export const RandomFaultSettings = z.strictObject({
  seed: z.int().check(z.minimum(0)),
  rate: z.number().check(z.minimum(0), z.maximum(1)),
  /** Default: the browser's routes. */
  routes: z._default(z.array(z.enum(FAULTY_ROUTES)).check(z.minLength(1)), [...BROWSER_ROUTES]),
  kinds: z._default(z.array(z.enum(FAULT_KINDS)).check(z.minLength(1)), [...FAULT_KINDS]),
  /** The longest delay, in seconds. */
  longest_seconds: z._default(z.number().check(z.minimum(0), z.maximum(3600)), 30),
});
export type RandomFaultSettings = z.infer<typeof RandomFaultSettings>;

/** Repeatable random faults: the same settings and the same order of requests give the same faults. */
export type RandomFaults = {
  settings: RandomFaultSettings;
  next(route: FaultyRoute): Fault | undefined;
  /** The number of requests to its routes so far. */
  decided(): number;
};

/** Requests to routes that are not in the settings do not advance the random values. */
export const createRandomFaults = (settings: RandomFaultSettings): RandomFaults => {
  const draw = createDraw(settings.seed, settings.longest_seconds);
  const [first = 'cut_after', ...others] = settings.kinds;
  let decided = 0;
  return {
    settings,
    next(route) {
      if (!settings.routes.includes(route)) return undefined;
      decided += 1;
      return draw.chance() < settings.rate ? KINDS[draw.oneOf([first, ...others])](draw) : undefined;
    },
    decided: () => decided,
  };
};

const createDraw = (seed: number, longestSeconds: number): Draw => {
  const bytes = seededBytes(seed);
  const chance = () => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes(4);
    return (a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d) / 2 ** 32;
  };
  const upTo = (most: number) => Math.floor(chance() * (most + 1));
  return {
    chance,
    upTo,
    oneOf: (values) => values[upTo(values.length - 1)] ?? values[0],
    seconds: () => Math.round(chance() * longestSeconds * 1000) / 1000,
  };
};
