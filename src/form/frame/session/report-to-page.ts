/** What the page hears of the form, and of the connection. */
import { effect, type ReadonlySignal } from '@preact/signals';
import { postState } from '../first/frame-state.ts';
import { reportChanges, reportFocus, reportState, reportSubmitRequests } from '../merchant/form-events.ts';
import { FIRST_VIEW, type View } from '../view/form-view.ts';
import { payableIn } from './first-read.ts';
import type { Parts } from './parts.ts';

export const reportToPage = (parts: Parts): void => {
  const { form, opening, canBePaid, page, lifecycle, isButtonless } = parts;
  const ending = parts.ending.signal;
  const { post, warn, diagnostics } = page;
  reportChanges(form, canBePaid, post);
  const hasFocus = reportFocus(post, ending);
  reportSubmitRequests(() => isButtonless.peek() && canBePaid.peek(), post, ending);
  reportState((state) => postState(post, state), form, hasFocus, opening.isAwaitingOutcome);
  followBackdrop(opening.view, page);
  effect(() => {
    if (lifecycle.online.value) return;
    diagnostics.troubled('offline');
    warn('connection', 'The browser says that it is offline.');
  });
  effect(() => {
    if (payableIn(opening.state.value, isButtonless.peek())) diagnostics.payable();
  });
};

/**
 * Has the page say what is behind the form now, and from then on (`loader/follow-backdrop.ts`), once there is more to see than
 * that it loads: what the loader then fetches must not delay the total.
 */
const followBackdrop = (view: ReadonlySignal<View>, { reply }: Parts['page']): void => {
  let hasAsked = false;
  effect(() => {
    const isLoading = view.value === FIRST_VIEW;
    if (!isLoading && !hasAsked) reply({ type: 'update' });
    hasAsked ||= !isLoading;
  });
};
