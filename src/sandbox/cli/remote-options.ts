import * as z from 'zod/mini';
import { flag, matching, parseFlags, serviceUrl } from '../../api/command/flags.ts';
import { OptionError } from '../../api/command/option-error.ts';
import { SANDBOX_URL } from '../service/core/ports.ts';
import { EVENT_TYPES } from '../service/store/records.ts';

const baseUrl = flag(z._default(serviceUrl, SANDBOX_URL), {
  ...{ takes: 'url', expected: 'scheme and host of the sandbox' },
  description: 'where the sandbox is',
});

/** Flags of `card-form trigger`, whose first word is a name, and of `card-form listen`. */
export const TRIGGER_FLAGS = z.object({ baseUrl });
export const LISTEN_FLAGS = z.object({
  forwardTo: flag(matching(/^https?:\/\/\S+$/), {
    ...{ takes: 'url', expected: 'a URL of your server' },
    description: 'where your server takes webhooks',
  }),
  events: flag(z._default(z.array(z.enum(EVENT_TYPES)), []), {
    ...{ takes: 'a,b', expected: `one or more of ${EVENT_TYPES.join(',')}` },
    description: 'these types of events only',
  }),
  baseUrl,
});

/** Parses the command line of `card-form trigger`. An empty name requests the list. */
export const parseTrigger = ([name = '', ...argv]: readonly string[]): { name: string; baseUrl: string } => {
  if (name.startsWith('--'))
    throw new OptionError('card-form trigger needs the name of an event or an error first.');
  return { name, ...parseFlags(TRIGGER_FLAGS, argv) };
};
