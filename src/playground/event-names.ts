import type { CardFormEventName } from '../loader/types.ts';

/** Every event of the form. A new one does not compile without its line here. */
const ALL: Readonly<Record<CardFormEventName, true>> = {
  ready: true,
  change: true,
  focus: true,
  blur: true,
  escape: true,
  submitrequest: true,
  amountchange: true,
  processing: true,
  decline: true,
  ratelimited: true,
  error: true,
  warning: true,
  result: true,
  loaderror: true,
};

const isEventName = (name: string): name is CardFormEventName => Object.hasOwn(ALL, name);

export const EVENT_NAMES: readonly CardFormEventName[] = Object.keys(ALL).filter(isEventName);
