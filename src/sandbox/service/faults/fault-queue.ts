import * as z from 'zod/mini';
import { BROWSER_ROUTES, type BrowserRoute } from '../core/api-routes.ts';
import { RefusedRequest } from '../core/errors.ts';
import { parseBody } from '../core/validate.ts';
import { FAULT_FIELDS, FAULTY_ROUTES, type Fault, type FaultyRoute } from './fault.ts';
import { createRandomFaults, RandomFaultSettings, type RandomFaults } from './random-faults.ts';

/** Decides the fault of each browser request in code, as an alternative to control routes. */
export type FaultPlan = (route: BrowserRoute) => Fault | undefined;

const FaultRequest = z.strictObject({
  route: z.optional(z.enum(FAULTY_ROUTES)),
  times: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
  random: z.optional(RandomFaultSettings),
  ...FAULT_FIELDS,
});
type FaultRequest = z.infer<typeof FaultRequest>;

/** Faults that wait for requests, first in, first out. If none waits for a route, random faults or the plan decide. */
export type FaultQueue = {
  /**
   * Adds the faults that a body of `POST /_sandbox/faults` describes. Throws a `RefusedRequest` that names an invalid
   * field.
   */
  add(body: unknown): void;
  /** Removes and returns the fault for a request that has just arrived. */
  take(route: FaultyRoute): Fault | undefined;
  /** Returns true if a new connection must be refused. Uses up one refusal. */
  refusesConnection(): boolean;
  /** The waiting faults as JSON, with the fields of `POST /_sandbox/faults`. */
  view(): unknown;
  /** Removes all faults except the plan's. */
  clear(): void;
};

/** Creates an empty queue. `plan` decides while it is empty. */
export const createFaultQueue = (plan: FaultPlan): FaultQueue => {
  let waiting: { route: FaultyRoute; left: number; fault: Fault }[] = [];
  let connections = 0;
  let randomFaults: RandomFaults | null = null;

  return {
    add(body) {
      const { route, times = 1, random, ...fault } = parseFaultRequest(body);
      if (random !== undefined) randomFaults = createRandomFaults(random);
      else if (route === undefined) connections += times;
      else waiting.push({ route, left: times, fault });
    },
    take(route) {
      const found = waiting.find((one) => one.route === route);
      if (found === undefined) {
        if (randomFaults !== null) return randomFaults.next(route);
        return isBrowserRoute(route) ? plan(route) : undefined;
      }
      found.left -= 1;
      if (found.left === 0) waiting = waiting.filter((one) => one !== found);
      return found.fault;
    },
    refusesConnection() {
      if (connections === 0) return false;
      connections -= 1;
      return true;
    },
    view: () => ({
      waiting: waiting.map(({ route, left, fault }) => ({ route, times: left, ...fault })),
      connections,
      random: randomFaults === null ? null : { ...randomFaults.settings, decided: randomFaults.decided() },
    }),
    clear() {
      waiting = [];
      connections = 0;
      randomFaults = null;
    },
  };
};

const isBrowserRoute = (route: FaultyRoute): route is BrowserRoute =>
  BROWSER_ROUTES.some((one) => one === route);

/** One of three kinds: random faults, faults of one route, or connections to refuse. */
const parseFaultRequest = (body: unknown): FaultRequest => {
  const request = parseBody(FaultRequest, body);
  const { route, times: _, random, refuse, ...rest } = request;
  const others = Object.keys(rest);
  if (random !== undefined) {
    const [beside] = Object.keys(request).filter((field) => field !== 'random');
    if (beside !== undefined) throw wrong(beside, 'left out beside "random", which chooses the faults');
    return request;
  }
  if (refuse === true && others[0] !== undefined) {
    throw wrong(
      others[0],
      'left out beside "refuse": a refused request never arrives, so no other fault applies',
    );
  }
  if (route === undefined && refuse !== true)
    throw wrong('route', FAULTY_ROUTES.map((one) => `"${one}"`).join(' or '));
  return request;
};

const wrong = (param: string, expected: string): RefusedRequest =>
  new RefusedRequest('validation_error', `"${param}" must be ${expected}.`, { param });
