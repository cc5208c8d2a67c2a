/** promises 1.11 from the page's side: derives the page's own busy state from the events. */
import type { FrameMessage } from '../../form/channel/messages.ts';
import type { View } from '../../form/frame/view/form-view.ts';

export type PageEar = {
  hear(message: FrameMessage): void;
  /** True if a press was announced, but not yet how it ended. */
  awaits(): boolean;
  /** True if the buyer can read how a press ended, but the page doesn't know. */
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

/** Notices of an attempt that continues. */
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
