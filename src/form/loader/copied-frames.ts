/**
 * Copies of a form's iframe. Libraries such as htmx keep copies of a page and put them back; a page that calls `mount()`
 * only while it is loaded has no form for the iframe in such a copy, whose document then waits for ever.
 */
import { MARK } from '../channel/iframe-attributes.ts';
import { CHANNEL } from '../channel/protocol.ts';
import { createLoadErrorAlert } from './load-error-alert.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

/** How long after its hello, in ms, a copy may still get a form: as long as the script waits for a frame. */
const GIVEN_UP_AFTER = 10_000;

/** The value of the mark on an iframe that has a form. An early iframe, whose form is yet to be mounted, has none. */
const MOUNTED = 'mounted';

export const RESTORED_MESSAGE =
  'restored: the page was put back from a copy, which has no client secret. Load it again: data-restored="reload" on the script tag does it, and a page that calls mount() does so again.';

export const showRestored = (): HTMLDivElement =>
  createLoadErrorAlert('restored', {}, () => location.reload());

export const markMounted = (iframe: Element): void => iframe.setAttribute(MARK, MOUNTED);

/** The script listens to the iframe of a form. */
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
