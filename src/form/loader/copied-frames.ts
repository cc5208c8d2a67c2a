/**
 * Detects copies of a form's iframe. Libraries such as htmx keep copies of a page and restore them. If the page calls
 * `mount()` only while it loads, there is no form for the iframe in such a copy, whose document then waits forever.
 */
import { MARK } from '../channel/iframe-attributes.ts';
import { CHANNEL } from '../channel/protocol.ts';
import { createLoadErrorAlert } from './load-error-alert.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

/** Time after its hello, in ms, in which a copy may still get a form: the script's own time limit for a frame. */
const GIVEN_UP_AFTER = 10_000;

/** The value of the mark on an iframe that has a form. An early iframe, whose form is not mounted yet, has no value. */
const MOUNTED = 'mounted';

export const RESTORED_MESSAGE =
  'restored: the page was put back from a copy, which has no client secret. Load it again: data-restored="reload" on the script tag does it, and a page that calls mount() does so again.';

export const showRestored = (): HTMLDivElement =>
  createLoadErrorAlert('restored', {}, () => location.reload());

export const markMounted = (iframe: Element): void => iframe.setAttribute(MARK, MOUNTED);

/** The script listens to `load` of an iframe with a form, so an iframe without the listener is a copy. */
const copies = (): readonly Element[] =>
  [...unclobberedDocument().querySelectorAll<HTMLIFrameElement>(`iframe[${MARK}=${MOUNTED}]`)].filter(
    ({ onload }) => !onload,
  );

addEventListener('message', ({ origin, data }: MessageEvent<{ channel?: unknown } | null>) => {
  if (origin !== new URL(import.meta.url).origin || data?.channel !== CHANNEL || !copies().length) return;
  setTimeout(() => {
    for (const copy of copies()) {
      copy.replaceWith(showRestored());
      reportError(new Error(RESTORED_MESSAGE));
    }
  }, GIVEN_UP_AFTER);
});
