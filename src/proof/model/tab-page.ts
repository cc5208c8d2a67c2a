/** A page that embeds the form; it detects wrong messages that its developer could notice. */
import type { FrameMessage } from '../../form/channel/messages.ts';
import { createPageEar } from '../tab/page-hears.ts';

/** The page's view of the events: if it shows a spinner, and what it was last told. */
export const createTabPage = () => {
  const ear = createPageEar();
  let final: string | null = null;
  /** Error codes received. A form remembers which it has sent, and nobody can see that from outside. */
  const told = new Set<string>();
  const wrong = new Set<string>();
  return {
    hear(message: FrameMessage) {
      if (final !== null && message.type !== 'ready')
        wrong.add(`an event after the end: ${message.type} after ${final}`);
      if (message.type === 'processing' && message.pressed && ear.awaits())
        wrong.add('a press was reported before the previous one had ended');
      ear.hear(message);
      if (message.type === 'decline' || message.type === 'error') told.add(message.error.code);
      if (message.type === 'result' && message.result.outcome !== 'unknown') final = message.result.outcome;
    },
    fail: (problem: string) => void wrong.add(problem),
    isBehind: ear.isBehind,
    broken: () => [...wrong],
    fingerprint: () => [ear.awaits(), final, [...told].sort(), ...wrong],
  };
};
