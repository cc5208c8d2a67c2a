import type { CardFormDiagnosis } from '../../channel/diagnostics.ts';
import type { FrameMessage } from '../../channel/messages.ts';

/** `diagnostics()` returns at most this many entries, the latest ones. */
const MOST_ENTRIES = 99;

export type EventLog = {
  note(message: FrameMessage): void;
  entries(): readonly CardFormDiagnosis[];
};

/** Logs the messages to the page for `diagnostics()`: codes and hints, no other detail. `now` in monotonic ms. */
export const createEventLog = (now: () => number): EventLog => {
  const openedAt = now();
  let entries: readonly CardFormDiagnosis[] = [{ at: 0, event: 'opened' }];
  return {
    note(message) {
      if (message.type === 'state' || message.type === 'diagnostics') return;
      const what = detailOf(message);
      const entry = { at: Math.round(now() - openedAt), event: message.type };
      entries = [...entries, what === null ? entry : { ...entry, what }].slice(-MOST_ENTRIES);
    },
    entries: () => [...entries],
  };
};

/** A code or our own text. Omits the service's messages, which may contain a buyer's name. */
const detailOf = (message: FrameMessage): string | null => {
  switch (message.type) {
    case 'decline':
    case 'error':
      return message.error.code;
    case 'result':
      return message.result.outcome;
    case 'warning':
      return `${message.about}: ${message.hint}`.slice(0, 500);
    default:
      return null;
  }
};
