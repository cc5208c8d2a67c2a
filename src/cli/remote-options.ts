import { OptionError } from '../sandbox/core/option-error.ts';
import { SANDBOX_URL } from '../sandbox/core/ports.ts';
import { EVENT_TYPES } from '../sandbox/store/records.ts';
import { flagList, isServiceUrl, readFlags, requiredIn, textFlag, withoutSlash } from './flag-engine.ts';
import type { ListenOptions } from './remote/listen.ts';

const types = EVENT_TYPES.join('|').replaceAll('.', '\\.');
const TYPES_FORM = new RegExp(`^(${types})(,(${types}))*$`);

const BASE_URL = textFlag({
  flag: '--base-url',
  takes: 'url',
  about: 'where the sandbox is',
  expected: 'scheme and host of the sandbox',
  accepts: isServiceUrl,
  fallback: SANDBOX_URL,
});
const FORWARD_TO = textFlag({
  flag: '--forward-to',
  takes: 'url',
  about: 'where your server takes webhooks',
  expected: 'a URL of your server',
  accepts: (value) => /^https?:\/\/\S+$/.test(value),
  fallback: null,
});
const EVENTS = textFlag({
  flag: '--events',
  takes: 'a,b',
  about: 'these types of events only',
  expected: `one or more of ${EVENT_TYPES.join(',')}`,
  accepts: (value) => TYPES_FORM.test(value),
  fallback: null,
});

const TRIGGER_FLAGS = [BASE_URL];
const LISTEN_FLAGS = [FORWARD_TO, EVENTS, BASE_URL];

/** The options of `card-form trigger` and `card-form listen`, as the usage lists them. */
export const triggerOptions = (): string => flagList(TRIGGER_FLAGS);
export const listenOptions = (): string => flagList(LISTEN_FLAGS);

/** Parses the command line of `card-form trigger`. An empty name asks for the list. */
export const parseTrigger = ([name = '', ...argv]: readonly string[]): { name: string; baseUrl: string } => {
  if (name.startsWith('--'))
    throw new OptionError('card-form trigger needs the name of an event or an error first.');
  return { name, baseUrl: withoutSlash(readFlags(argv, {}, TRIGGER_FLAGS)(BASE_URL)) };
};

/** Parses the command line of `card-form listen`. */
export const parseListen = (argv: readonly string[]): ListenOptions & { baseUrl: string } => {
  const value = readFlags(argv, {}, LISTEN_FLAGS);
  return {
    forwardTo: requiredIn(value, listenOptions)(FORWARD_TO),
    eventTypes: value(EVENTS)?.split(',') ?? [],
    baseUrl: withoutSlash(value(BASE_URL)),
  };
};
