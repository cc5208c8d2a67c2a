import * as z from 'zod/mini';
import {
  anything,
  flag,
  integerFrom,
  JSON_RESULT,
  matching,
  ORIGIN_URL,
  orNull,
} from '../../api/command/flags.ts';
import { PAYMENT_KEY } from './conformance-options.ts';

/** Flags for opening a form in a browser. */
export const BROWSER_FLAGS = {
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

/** Flags of `card-form probe`. */
export const PROBE_FLAGS = z.object({
  baseUrl: ORIGIN_URL,
  publishableKey: PAYMENT_KEY,
  clientSecret: flag(matching(/^lg_cs_[\w-]+$/), {
    ...{ takes: 'lg_cs_…', expected: 'a client secret (lg_cs_…)', isSecret: true },
    env: 'CARD_FORM_PROBE_CLIENT_SECRET',
    description:
      'of a pending payment with all its data, which nobody pays, so it can be the same each time; better in the environment, as others can read command lines',
  }),
  ...BROWSER_FLAGS,
  json: JSON_RESULT,
});
