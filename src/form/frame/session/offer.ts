/**
 * Offers the payment before the form is hydrated: reads the intent, judges presses, and puts the total on the button of the
 * prerendered form, as the components will. A press that comes before `pay.js` is judged and held for it. Nothing is sent
 * from here: if that script never comes, the page hears that the form has failed to load.
 *
 * The guard and the conversation with the page begin here, once for every form; the rest of the session takes them over.
 */
import { effect, type Signal, signal } from '@preact/signals-core';
import { type Money, totalOf } from '../../../api/money.ts';
import { systemClock } from '../../../clock/clock.ts';
import type { Init } from '../../channel/read-options.ts';
import type { Ready } from '../../payment/opened.ts';
import { writeTotal } from '../first/amount.ts';
import type { Prefetch } from '../first/prefetch.ts';
import { followNextKey } from '../form/next-key.ts';
import { createGuard, type Guard, type Payable } from '../press/guard.ts';
import { type HeldPress, holdPress } from '../press/hold-press.ts';
import { payLabel } from '../view/pay-label.ts';
import { payableIn, readFirst } from './first-read.ts';
import { createPageLink, type PageLink } from './page-link.ts';

export type Offer = {
  page: PageLink;
  guard: Guard;
  /** What a press would pay now, for the guard. */
  payable: Signal<Payable | null>;
  /** The state after the first read; null until it has been read, and if there is more to it than a total to pay. */
  opened: Ready | null;
  /** Resolves with the same; null if no read was sent. */
  reading: Promise<Ready | null> | null;
  /** Aborted when the form is removed. */
  ending: AbortController;
  /** Whether the total may be put on the prerendered button. */
  isDrawing: boolean;
  /** Set once the total is on it. */
  drawn: DrawnButton | null;
};

type DrawnButton = { total: Money; endArming(): void; endHolding(): HeldPress | null };

/** The form is about to be hydrated: nothing more is drawn. Returns the total on the button, if it is there already. */
export const endDrawing = (offer: Offer): Money | null => {
  offer.isDrawing = false;
  offer.drawn?.endArming();
  return offer.drawn?.total ?? null;
};

/** From now on the components hear the presses. Returns the press that is held, if there is one. */
export const endHolding = ({ drawn }: Offer): HeldPress | null => drawn?.endHolding() ?? null;

type Parts = {
  port: MessagePort;
  /** Fulfils when the total has been shown in the summary, or will not be. */
  showing: Promise<unknown>;
  /** The button's text, with a placeholder for the amount. */
  sentence: string;
};

/** No closure may be made in this function: it could keep `init` or `prefetch`, which hold the client secret. */
export const createOffer = (init: Init | null, prefetch: Prefetch | null, parts: Parts): Offer => {
  const canBePaid = init !== null && init.view !== 'status' && init.readOnly !== true;
  // A button of the page, or with words of the page, needs what comes later.
  const isPlain = init?.payButton !== 'host' && !init?.translations && !init?.buttonType;
  return begin(prefetch?.answer ?? null, canBePaid && isPlain, parts);
};

const begin = (
  answer: Promise<Response> | null,
  isOffered: boolean,
  { port, showing, sentence }: Parts,
): Offer => {
  const page = createPageLink(port);
  const ending = new AbortController();
  followNextKey(ending.signal);
  const payable = signal<Payable | null>(null);
  const guard = createGuard({ clock: systemClock, payable, ask: page.askCovers, ending: ending.signal });
  const read = async (sent: Promise<Response>): Promise<Ready | null> => {
    await showing; // it copies the answer, whose rest is discarded here
    offer.opened = await readFirst(sent, systemClock.now);
    if (!offer.opened || !offer.isDrawing) return offer.opened;
    payable.value = payableIn(offer.opened, false);
    offer.drawn = drawButton(totalOf(offer.opened.intent), sentence, guard);
    page.diagnostics.payable();
    page.followPlace(); // before a press can ask what lies over the form
    return offer.opened;
  };

  const offer: Offer = {
    page,
    guard,
    payable,
    opened: null,
    reading: null,
    ending,
    isDrawing: isOffered,
    drawn: null,
  };
  if (answer) offer.reading = read(answer);
  return offer;
};

/** Puts the total on the button, as `components/PayButton.tsx` does, and takes presses. Null if there is no button. */
const drawButton = (total: Money, sentence: string, guard: Guard): DrawnButton | null => {
  const place = document.querySelector<HTMLElement>('.pay-place');
  const button = place?.querySelector<HTMLElement>('.pay');
  const summary = document.querySelector('.total [data-amount]');
  if (!place || !button || !summary) return null;
  const part = (tag: 'bdi' | 'span', text: string) =>
    Object.assign(document.createElement(tag), { textContent: text });
  const amount = part('bdi', writeTotal(total));
  amount.dataset.amount = '';
  amount.setAttribute('translate', 'no');
  const { before, after } = payLabel(sentence, true);
  const label = button.lastElementChild;
  label?.removeAttribute('class');
  label?.replaceChildren(part('span', before), amount, part('span', after));
  button.dataset.kind = 'pay';
  button.removeAttribute('aria-disabled');
  button.removeAttribute('aria-busy');
  guard.watch('total', summary);
  guard.watch('button', button);
  const endArming = effect(() => {
    button.toggleAttribute('data-early', !guard.armed.value);
  });
  return { total, endArming, endHolding: holdPress(place, total, guard) };
};
