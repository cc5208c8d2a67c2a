/**
 * The sandbox's options (contract 6.6) in one table. Types, checks, defaults and settings derive from it, and in
 * `src/cli` the command's flags. An option takes effect where `ServiceSettings` is read, mostly in `service.ts`.
 */
import * as z from 'zod/mini';
import { OptionError } from '../../api/command/option-error.ts';
import { APP_SCHEMES } from '../../api/served/app-schemes.ts';
import { type WallClock, wallClock } from './core/clock.ts';
import { createFaultQueue, type FaultPlan, type FaultQueue } from './faults/fault-queue.ts';
import { type Outgoing, postOverHttp } from './webhooks/outgoing.ts';

/** The texts about an option in messages and in `--help`. */
type OptionMeta = {
  description: string;
  expected: string;
  /** The placeholder of the option's value in `--help`. */
  takes?: string;
};

const option = <Schema extends z.ZodMiniType>(schema: Schema, meta: OptionMeta): Schema =>
  schema.check(z.meta(meta));

const whole = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));
const number = (least: number, most: number, fallback: number, description: string) =>
  option(z._default(whole(least, most), fallback), {
    description,
    expected: `a whole number from ${least} to ${most}`,
  });

const isOn = (fallback: boolean, description: string) =>
  option(z._default(z.boolean(), fallback), { description, expected: 'true or false' });

const given = <Value>(is: (value: unknown) => boolean, expected: string, description: string) =>
  option(z.optional(z.custom<Value>(is)), { description, expected });
const isFunction = (value: unknown) => typeof value === 'function';

/** A host name without a port. */
export const hostName = z.string().check(z.regex(/^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/i));

/** The table. Each schema is followed by its text for `--help`. */
export const SANDBOX_OPTIONS = z.strictObject({
  feeBearer: option(z.optional(z.enum(['merchant', 'buyer'])), {
    description: 'who pays the fees (merchant)',
    expected: 'merchant or buyer',
  }),
  attempts: number(1, 20, 5, 'payment attempts per intent, 1 to 20'),
  holdFailedAttempts: isOn(
    false,
    'a failed attempt keeps its intent in processing until it is released (contract 4.4)',
  ),
  attemptSeconds: number(0, 3600, 0, 'how long a payment attempt runs before its outcome is known'),
  runningAttempts: option(z._default(z.enum(['processing', 'pending']), 'processing'), {
    description: 'the status of an intent while an attempt runs',
    expected: 'processing or pending',
  }),
  clientRateLimit: number(1, 1_000_000, 60, 'browser requests per minute, IP address and route'),
  serverRateLimit: number(1, 1_000_000, 1200, 'server requests per minute, account and route'),
  seed: option(z.optional(whole(0, Number.MAX_SAFE_INTEGER)), {
    description: 'makes ids and random values repeatable',
    expected: `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`,
  }),
  keyNumber: number(1, Number.MAX_SAFE_INTEGER, 1, 'the number at the end of the keys of the first account'),
  state: option(z.optional(z.string().check(z.minLength(1))), {
    description: 'stores the state in this file, and loads it at the start',
    expected: 'the path of a file',
    takes: 'file.json',
  }),
  clock: given<WallClock>(
    (value) => typeof value === 'object' && value !== null && 'now' in value && 'wait' in value,
    'an object with now() and wait()',
    'the time',
  ),
  faults: given<FaultPlan>(
    isFunction,
    'a function from a route to a fault or undefined',
    'decides the faults of browser requests, in order of arrival; faults from control routes come first',
  ),
  outgoing: given<Outgoing>(
    isFunction,
    'a function from a request to a promise of its status',
    'receives webhooks instead of the network, so that a test sees them and decides the response',
  ),
  allowLocalWebhooks: isOn(true, 'whether an endpoint may be on this machine, on any port and without TLS'),
  webhookHosts: option(z._default(z.readonly(z.array(hostName)), []), {
    description: 'endpoints may be at this host, wherever it leads, on any port and without TLS; repeatable',
    expected: 'host names without a port, such as shop or staging.example.test',
    takes: 'name',
  }),
  reports: isOn(
    false,
    'has browsers report what the policies of the form refuse; the inspector shows the reports',
  ),
  appSchemes: option(z._default(z.readonly(z.array(z.enum(APP_SCHEMES))), []), {
    description: `apps whose pages may embed the form, of ${APP_SCHEMES.join(', ')}`,
    expected: `a list of ${APP_SCHEMES.join(', ')}`,
    takes: 'a,b',
  }),
});

/** The options of a sandbox, all optional. */
export type SandboxOptions = z.input<typeof SANDBOX_OPTIONS>;

/** The settings of a service: every option, with defaults applied. */
export type ServiceSettings = Omit<z.output<typeof SANDBOX_OPTIONS>, 'clock' | 'faults' | 'outgoing'> & {
  clock: WallClock;
  faults: FaultQueue;
  outgoing: Outgoing;
};

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

/** Checks options given in code. Throws an error with the expected and the actual value if one is wrong. */
export const settingsOf = (options: SandboxOptions): ServiceSettings => {
  const read = SANDBOX_OPTIONS.safeParse(options);
  if (!read.success) {
    const [issue] = read.error.issues;
    if (issue?.code === 'unrecognized_keys')
      throw new OptionError(
        `createSandbox has no option ${issue.keys[0]}. It has: ${Object.keys(SANDBOX_OPTIONS.shape).join(', ')}.`,
      );
    const [name, entry] = Object.entries(SANDBOX_OPTIONS.shape).find(([key]) => key === issue?.path[0]) ?? [];
    const expected = entry && z.globalRegistry.get(entry)?.expected;
    const value = Object.entries(options).find(([key]) => key === name)?.[1];
    throw new OptionError(`${name} must be ${expected}; got ${shown(value)}.`);
  }
  const webhookHosts = read.data.webhookHosts.map((name) => name.toLowerCase());
  const { clock = wallClock, faults = () => undefined, outgoing = postOverHttp(webhookHosts) } = read.data;
  return { ...read.data, webhookHosts, clock, outgoing, faults: createFaultQueue(faults) };
};
