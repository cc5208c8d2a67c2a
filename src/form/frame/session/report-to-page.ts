/** Reports the form's state and connection problems to the page. */
import { effect } from '@preact/signals';
import { postState } from '../first/frame-state.ts';
import { reportChanges, reportFocus, reportState, reportSubmitRequests } from '../merchant/form-events.ts';
import { FIRST_VIEW } from '../view/form-view.ts';
import type { Parts } from './parts.ts';

export const reportToPage = (parts: Parts): void => {
  const { form, session, canBePaid, page, lifecycle, isButtonless, guard } = parts;
  const ending = parts.ending.signal;
  const { post, warn, diagnostics } = page;
  reportChanges(form, canBePaid, post);
  const hasFocus = reportFocus(post, ending);
  const isWanted = () => isButtonless.peek() && canBePaid.peek() && !guard.isMeantForPage();
  reportSubmitRequests(isWanted, post, ending);
  reportState((state) => postState(post, state), form, hasFocus, session.isAwaitingOutcome);
  effect(() => {
    if (session.view.value !== FIRST_VIEW) page.followPlace();
  });
  effect(() => {
    if (lifecycle.online.value) return;
    diagnostics.troubled('offline');
    warn('connection', 'The browser says that it is offline.');
  });
};
