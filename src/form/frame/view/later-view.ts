/** Changes the notice when a press takes long. */
import { CONFIRMING_NOTICE, STILL_CONFIRMING_NOTICE, type View } from './form-view.ts';

/** Times after the press at which the wording changes, in seconds. */
export const LATER = [10, 30, 60] as const;

/** `after`: the latest of these times that has passed, or null. */
export const laterView = (shown: View, after: (typeof LATER)[number] | null): View => {
  if (shown.screen !== 'form' || after === null) return shown;
  const notices = shown.notices.map((notice) =>
    notice.message.key === CONFIRMING_NOTICE.key || notice.message.key === STILL_CONFIRMING_NOTICE.key
      ? { ...notice, message: { key: `notice.still_confirming.${after}` } as const }
      : notice,
  );
  return { ...shown, notices };
};
