/**
 * The loader's second file, `page.js`, loaded on demand: elements of pages without code, if the script tag has
 * `data-card-form`; the backdrop, once the form is ready; answers to the frame's requests to the page; `retrieve()`;
 * and explanations of mistakes for developers.
 */
import type { CardFormDiagnostics } from '../channel/diagnostics.ts';
import type { FrameMessage, HostMessageInput } from '../channel/messages.ts';
import { askBeforePay } from './before-pay.ts';
import { markMounted } from './copied-frames.ts';
import { checkCovers } from './covers.ts';
import type { Emit, Listeners } from './events.ts';
import { findCutting } from './find-cutting.ts';
import { nextLook, stopFollowing, type Taker } from './follow-page.ts';
import { putBack } from './front.ts';
import { whenBack } from './held-back.ts';
import { importVerified } from './import-verified.ts';
import type { MistakeCode } from './mistakes.ts';
import { start } from './no-code-elements.ts';
import type { MountedForms } from './park.ts';
import { retrieve } from './retrieve.ts';
import { settleDiagnostics, settleUpdate } from './settle-calls.ts';
import type { CardFormOptions } from './types.ts';
import { unclobberedDocument } from './unclobbered-document.ts';
import { keepSize, widen } from './widen.ts';

/** The hashes of these files, `sha256-…`, set by the build. */
declare const __MISTAKES_INTEGRITY__: string;
declare const __PAGE_GIVES_INTEGRITY__: string;
declare const __PAGE_LOOK_INTEGRITY__: string;

/** The address of this file. */
const here = import.meta.url;

const { origin: service } = new URL(here);

/** The frame's requests to the page, whose answer is posted under the same type, and its answers to the page's calls. */
export type Question = Extract<
  FrameMessage,
  { type: 'covers' | 'beforepay' | 'update' | 'font' | 'search' | 'diagnostics' }
>;

/** The page's options, as far as the answers need them, with the client secret in use. */
type Page = Pick<
  CardFormOptions,
  'appearance' | 'clientSecret' | 'beforePay' | 'debug' | 'fonts' | 'addressLookup' | 'keep'
>;

/**
 * Returns the fields of the answer; undefined if the form is gone. Takes single parameters instead of the form, since
 * the build shortens the property names of forms in the loader's first file (`src/build/outputs.ts`).
 */
const answer = async (
  question: Question,
  iframe: HTMLIFrameElement | HTMLDivElement | null | undefined,
  page: Page,
  listeners: Listeners,
  options: { clientSecret: string | true },
  mounted: MountedForms,
): Promise<Omit<Extract<HostMessageInput, { type: Question['type'] }>, 'type'> | undefined> => {
  if (question.type === 'beforepay') return askBeforePay(page, question);
  if (question.type === 'covers') return checkCovers(iframe, question);
  if ('updated' in question) return settleUpdate(question, listeners, page, options);
  if (question.type === 'diagnostics') return settleDiagnostics(question, listeners, findCutting(iframe));
  if (!iframe) return;
  if (question.type !== 'update') {
    const { fetchFont, searchAddresses } = await loadGives();
    return question.type === 'font' ? fetchFont(page, question) : searchAddresses(iframe, page, question);
  }
  if (question.keep !== undefined && iframe instanceof HTMLIFrameElement) {
    const { allowParking } = await loadGives();
    allowParking(question.keep, { iframe, page, mounted, service, leave });
    return new Promise(() => {}); // there is nothing to answer
  }
  const taker = await takerFor(question, page);
  if (question.reply) {
    question.reply.postMessage(taker?.(iframe)); // before the first paint
    return;
  }
  markMounted(iframe);
  widen(iframe);
  keepSize(iframe);
  loadMistakes(page).then(
    (loaded) => {
      loaded?.watchPlaceOnConsole(iframe, findCutting, service);
      loaded?.checkListeners(listeners, service);
    },
    () => {}, // there is no mistake yet to explain
  );
  return nextLook(iframe, question.style, taker);
};

/** Called when the iframe leaves its container. */
const leave = (iframe: Element) => {
  putBack(iframe);
  stopFollowing(iframe);
};

/** Imports another file of this folder. The nonce is on the element that loaded this file. */
const load = <Module>(name: string, integrity: string): Promise<Module> => {
  const own = unclobberedDocument().querySelector<HTMLElement>(`head>[href="${here}"],head>[src="${here}"]`);
  return importVerified(new URL(`${name}.js`, here).href, own?.nonce ?? '', integrity);
};

/** Loads once; after a failure, the next call tries again. */
const once = <Module>(start: () => Promise<Module>): (() => Promise<Module>) => {
  let loading: Promise<Module> | undefined;
  return () => {
    loading ??= start();
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
};

const loadGives = once(() => load<typeof import('./page-gives.ts')>('page-gives', __PAGE_GIVES_INTEGRITY__));
const loadLook = once(() => load<typeof import('./look/page-look.ts')>('page-look', __PAGE_LOOK_INTEGRITY__));
const importMistakes = once(() => load<typeof import('./mistakes.ts')>('mistakes', __MISTAKES_INTEGRITY__));

/** Returns a reader of the look that `appearance.from` names. Undefined if there is none, or the file doesn't load. */
const takerFor = async (
  { from }: Pick<Extract<Question, { from?: unknown }>, 'from'>,
  page: Pick<CardFormOptions, 'appearance'>,
): Promise<Taker | undefined> => {
  if (!from) return;
  const loaded = await loadLook().catch(() => undefined);
  if (!loaded) return;
  return (iframe) => {
    try {
      return loaded.readLook(page.appearance?.from, iframe);
    } catch (error) {
      reportError(error); // the page replaced a browser API: the rest of its look is still followed
      return [];
    }
  };
};

/** Loads only on a loopback page or with `debug`: buyers don't need explanations. Without https there is no form. */
const loadMistakes = async (page?: Pick<CardFormOptions, 'debug'>) => {
  const isLoopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\]|)$/.test(location.hostname);
  if (isSecureContext && !isLoopback && !page?.debug) return;
  return importMistakes();
};

const explain = async (
  code: MistakeCode,
  detail = '',
  page?: Pick<CardFormOptions, 'debug'>,
): Promise<void> => {
  const loaded = await loadMistakes(page);
  loaded?.explainOnConsole(code, detail, service);
};

/** Handles a document in the iframe that did not say hello: see `held-back.ts`. */
const untilBack = (
  iframe: HTMLIFrameElement,
  { sent }: { readonly sent?: boolean | undefined },
  emit: Emit,
  options: Pick<CardFormOptions, 'debug' | 'translations'>,
  report: CardFormDiagnostics,
): Promise<void> =>
  whenBack(iframe, service, sent, options, (detail) => {
    const message = `blocked: ${detail}`;
    emit('loaderror', { reason: 'blocked', message });
    report.entries = [{ what: message, event: 'loaderror', at: 0 }];
    explain('blocked', detail, options);
  });

export { answer, explain, retrieve, start, untilBack };
