import * as z from 'zod/mini';
import { createWith } from '../operate/probe/client-secret.ts';
import { BROWSERS } from '../operate/probe/playwright.ts';
import { PAYMENT_KEY } from './conformance-options.ts';
import {
  anything,
  type FlagTable,
  flag,
  integerFrom,
  JSON_RESULT,
  matching,
  missing,
  ORIGIN_URL,
  orNull,
  parseFlags,
} from './flags.ts';

/** How a form is opened, and the payment that it shows. */
export const BROWSER_FLAGS = {
  clientSecret: flag(orNull(matching(/^lg_cs_[\w-]+$/)), {
    ...{ takes: 'lg_cs_…', expected: 'a client secret (lg_cs_…)', isSecret: true },
    env: 'CARD_FORM_PROBE_CLIENT_SECRET',
    description:
      'of a pending payment with all its data, which nobody pays, so it can be the same each time; better in the environment, as others can read command lines',
  }),
  createWith: flag(orNull(anything), {
    ...{ takes: 'command', expected: 'a command' },
    description:
      'in place of --client-secret: prints the client secret of a new payment; run without a shell',
  }),
  browser: flag(z._default(z.enum(BROWSERS), 'chromium'), {
    description: 'which browser; only chromium is tested, the others are those that Playwright installs',
  }),
  executablePath: flag(orNull(anything), {
    ...{ takes: 'file', expected: 'the path of a file' },
    description: 'the file of the browser, if Playwright installed none',
  }),
  timeout: flag(z._default(integerFrom(1, 600), 30), {
    ...{ takes: 'seconds', expected: 'a whole number of seconds from 1 to 600' },
    description: 'how long the form may take',
  }),
  output: flag(z._default(anything, 'card-form-probe'), {
    ...{ takes: 'dir', expected: 'the path of a folder' },
    description: 'gets a screenshot and a HAR of each failure, without client secret, bodies and cookies',
  }),
};

/** The flags of `card-form probe`. */
export const PROBE_FLAGS = z.object({
  baseUrl: ORIGIN_URL,
  publishableKey: PAYMENT_KEY,
  ...BROWSER_FLAGS,
  json: JSON_RESULT,
});

type Payment = { clientSecret: string | null; createWith: string | null };

/** The client secret of a payment, or that of a new one. */
export const clientSecretOf = async ({ clientSecret, createWith: command }: Payment): Promise<string> =>
  command === null ? (clientSecret ?? '') : createWith(command);

/** Throws an `OptionError` unless there is a payment. */
export const needPayment = ({ clientSecret, createWith: command }: Payment, table: FlagTable): void => {
  if (clientSecret === null && command === null) throw missing(table, 'clientSecret');
};

/**
 * Parses the command line of `card-form probe`. Throws an `OptionError` if something is wrong; its message never has the
 * client secret.
 */
export const parseProbe = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): z.output<typeof PROBE_FLAGS> => {
  const flags = parseFlags(PROBE_FLAGS, argv, env);
  needPayment(flags, PROBE_FLAGS);
  return flags;
};
