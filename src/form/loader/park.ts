/**
 * Parks a form with `keep: true` in a hidden, inert element at the end of the document, outside of whatever the page
 * replaces. `moveBefore` moves the iframe there without reloading it, and back into the container of the next `mount()`
 * for the same client secret. Part of the loader's third file, which is loaded before a form may be parked.
 *
 * The frame (`frame/session/keep.ts`) decides whether it may be parked, pauses meanwhile, and checks what comes back.
 */
import type { MARK } from '../channel/iframe-attributes.ts';
import type { ParkMessage } from '../channel/messages.ts';
import { LONGEST_PARKING } from '../channel/parking.ts';
import { stopSearching } from './search-addresses.ts';
import type { CardFormOptions } from './types.ts';

// Imports only types from files that the loader's second file imports, too: both would share a file without a hash.
const FRAME: typeof MARK = 'data-card-form-frame';
const PARK: ParkMessage = { channel: 'card-form', type: 'park' };

/**
 * All mounted forms and the parked one, by the page's options. Each function says whether the form is there; `mount()`
 * passes it the container of the next one. Has no property whose name the loader's first file shortens.
 */
export type MountedForms = Map<
  Pick<CardFormOptions, 'clientSecret'>,
  readonly [isThere: (container?: Element) => unknown, container: Element]
>;

type Parking = {
  readonly iframe: HTMLIFrameElement;
  readonly page: Pick<CardFormOptions, 'clientSecret' | 'keep'>;
  readonly mounted: MountedForms;
  /** The origin of the service. */
  readonly service: string;
  /** Ends the loader's work on the iframe in its container. */
  leave(iframe: Element): void;
};

/** Removes the parked form. There is at most one. */
let removeParked = () => {};

/**
 * The frame says whether the form may be parked. If so, `unmount()`, which calls the iframe's `remove()`, parks it from
 * now on; the loader's first file has no code for parking. A `remove()` by anyone else doesn't: the form still exists
 * then.
 */
export const allowParking = (isAllowed: boolean, parking: Parking): void => {
  const { iframe } = parking;
  const forget = () => Reflect.deleteProperty(iframe, 'remove');
  forget();
  if (!isAllowed) return;
  iframe.remove = () => {
    forget();
    if (!park(parking)) iframe.remove();
  };
  iframe.addEventListener('load', forget, { once: true }); // another document has not allowed it
};

/** Returns false if the iframe has to be removed instead. */
const park = ({ iframe, page: { clientSecret, keep }, mounted, service, leave }: Parking): boolean => {
  if (!clientSecret || !keep) return false;
  if ([...mounted.keys()].some((other) => other.clientSecret === clientSecret)) return false;
  leave(iframe);
  const place = createPlace();
  if (!move(iframe, place, null)) {
    place.remove();
    return false;
  }
  removeParked();
  iframe.onload = null;
  iframe.setAttribute(FRAME, 'parked');
  stopSearching(iframe);
  iframe.contentWindow?.postMessage(PARK, service);
  const parked = { clientSecret };
  const since = Date.now();
  const { height } = iframe.style;

  const end = () => {
    clearTimeout(timer);
    mounted.delete(parked);
    place.remove();
    removeParked = () => {};
  };
  const comeBack = (container?: Element) => {
    if (!container) return end();
    const early = container.querySelector<HTMLIFrameElement>(`iframe[${FRAME}]`);
    // A form that fetched this client secret is already there.
    const isFree = Date.now() - since < LONGEST_PARKING && !early?.onload;
    const isBack = isFree && move(iframe, early?.parentElement ?? container, early);
    end();
    if (!isBack) return;
    early?.remove();
    iframe.setAttribute(FRAME, '');
    // `mount()` sets the height of a form that has not loaded yet.
    queueMicrotask(() => {
      iframe.style.setProperty('height', height, 'important');
      iframe.style.background = '0';
    });
  };
  const timer = setTimeout(end, LONGEST_PARKING);
  removeParked = end;
  mounted.set(parked, [comeBack, place]);
  return true;
};

/** Safe from the page's fields and styles. */
const createPlace = (): HTMLElement => {
  const place = Document.prototype.createElement.call(document, 'div');
  place.hidden = place.inert = true;
  place.style.setProperty('display', 'none', 'important');
  Reflect.get(Document.prototype, 'documentElement', document).append(place);
  return place;
};

/** Returns true if it was moved: only some browsers can, and only within a document. */
const move = (iframe: Element, into: Element, before: Element | null): boolean => {
  if (!into.moveBefore) return false;
  try {
    into.moveBefore(iframe, before);
    return true;
  } catch {
    return false;
  }
};
