/** promises 1.11 from the page's side: what a page's own busy state makes of the events. */
import type { FrameMessage } from '../../form/channel/messages.ts';
import type { View } from '../../form/frame/view/form-view.ts';

export type PageEar = {
  hear(message: FrameMessage): void;
  /** Whether a press was told, and not yet how it ended. */
  awaits(): boolean;
  /** Whether the buyer reads how a press ended, and the page does not know. */
  isBehind(seen: View): boolean;
};

export const createPageEar = (): PageEar => {
  let awaits = false;
  return {
    hear(message) {
      if (message.type === 'processing') awaits ||= message.pressed;
      if (ENDS_WAITING.has(message.type)) awaits = false;
    },
    awaits: () => awaits,
    isBehind: (seen) => awaits && tellsOutcome(seen),
  };
};

const ENDS_WAITING: ReadonlySet<string> = new Set(['decline', 'error', 'amountchange', 'result']);

/** The notices of an attempt that goes on. */
const PROGRESS: ReadonlySet<string> = new Set([
  'notice.asking_store',
  'notice.confirming',
  'notice.still_confirming',
  'notice.yielding',
]);

const tellsOutcome = (seen: View): boolean =>
  seen.screen === 'outcome'
    ? seen.tone !== 'busy'
    : seen.action.kind === 'pay' || seen.notices.some(({ message }) => !PROGRESS.has(message.key));
