import * as z from 'zod/mini';
import { ServiceError } from '../core/errors.ts';
import { parseBody } from '../core/validate.ts';
import { FAULT_FIELDS, FAULTY_ROUTES, type Fault, type FaultyRoute } from './fault.ts';
import { createSchedule, type Schedule, ScheduleSettings } from './random-faults.ts';

/** Decides, request by request, what befalls the next one of a route. */
export type FaultPlan = (route: FaultyRoute) => Fault | undefined;

const FaultOrder = z.strictObject({
  route: z.optional(z.enum(FAULTY_ROUTES)),
  times: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
  random: z.optional(ScheduleSettings),
  ...FAULT_FIELDS,
});
type FaultOrder = z.infer<typeof FaultOrder>;

/** Faults that wait for requests, first asked first served; then what a schedule or a plan decides. */
export type Faults = {
  /** Takes an order as the control route gets it. Throws a `ServiceError` that names the field at fault. */
  order(body: unknown): void;
  /** What befalls the request that has just arrived; used up by it. */
  take(route: FaultyRoute): Fault | undefined;
  /** Whether the connection that has just been made is refused; one refusal is used up by it. */
  refusesConnection(): boolean;
  /** What waits, in JSON, in the words in which it was ordered. */
  shown(): unknown;
  /** Nothing befalls anybody any more, except what `plan` says. */
  clear(): void;
};

/** No faults yet but those of a plan, which decides where nothing else waits. */
export const createFaults = (plan: FaultPlan): Faults => {
  let waiting: { route: FaultyRoute; left: number; fault: Fault }[] = [];
  let connections = 0;
  let schedule: Schedule | null = null;

  return {
    order(body) {
      const { route, times = 1, random, ...fault } = parseOrder(body);
      if (random !== undefined) schedule = createSchedule(random);
      else if (route === undefined) connections += times;
      else waiting.push({ route, left: times, fault });
    },
    take(route) {
      const found = waiting.find((one) => one.route === route);
      if (found === undefined) return schedule === null ? plan(route) : schedule.next(route);
      found.left -= 1;
      if (found.left === 0) waiting = waiting.filter((one) => one !== found);
      return found.fault;
    },
    refusesConnection() {
      if (connections === 0) return false;
      connections -= 1;
      return true;
    },
    shown: () => ({
      waiting: waiting.map(({ route, left, fault }) => ({ route, times: left, ...fault })),
      connections,
      random: schedule === null ? null : { ...schedule.settings, decided: schedule.decided() },
    }),
    clear() {
      waiting = [];
      connections = 0;
      schedule = null;
    },
  };
};

/** A schedule by itself, or the faults of one route, or connections to refuse. */
const parseOrder = (body: unknown): FaultOrder => {
  const order = parseBody(FaultOrder, body);
  const { route, times: _, random, refuse, ...rest } = order;
  const others = Object.keys(rest);
  if (random !== undefined) {
    const [beside] = Object.keys(order).filter((field) => field !== 'random');
    if (beside !== undefined) throw wrong(beside, 'left out beside "random", which decides by itself');
    return order;
  }
  if (refuse === true && others[0] !== undefined) {
    throw wrong(others[0], 'left out beside "refuse": nothing else can befall what never arrives');
  }
  if (route === undefined && refuse !== true)
    throw wrong('route', FAULTY_ROUTES.map((one) => `"${one}"`).join(' or '));
  return order;
};

const wrong = (param: string, expected: string): ServiceError =>
  new ServiceError('validation_error', `"${param}" must be ${expected}.`, { param });
