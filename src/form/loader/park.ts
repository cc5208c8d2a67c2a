/**
 * The parking place of a form with `keep: true`: a hidden, inert element at the end of the document, outside of whatever the page
 * replaces. `moveBefore` takes the iframe there, and back into the container of the next `mount()` for the same client secret, without
 * loading it again. Part of the loader's third file, which is there before a form may be parked.
 *
 * Whether it may is said by the frame (`frame/session/keep.ts`), which rests meanwhile and judges what comes back.
 */
import type { MARK } from '../channel/iframe-attributes.ts';
import type { ParkMessage } from '../channel/messages.ts';
import { stopSearching } from './search-addresses.ts';
import type { CardFormOptions } from './types.ts';

// Only types are imported from what the loader's second file imports, too: the two would share a file that no hash holds.
const FRAME: typeof MARK = 'data-card-form-frame';
const PARK: ParkMessage = { channel: 'card-form', type: 'park' };

/** How long a form may be parked, in ms. The frame holds to the same. */
const LONGEST = 15 * 60_000;

/**
 * All mounted forms, and one that is parked, by what the page gave. Each function says whether the form is there, and `mount()` gives it the
 * container of the next one. No property that the loader's first file shortens.
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
  /** Ends what the loader does for the iframe in its container. */
  leave(iframe: Element): void;
};

/** Removes the form that is parked. There is one at most. */
let removeParked = () => {};

/**
 * The frame says whether it may be parked. From now on it is when `unmount()` takes it away, which it does by `remove()`; the loader's
 * first file has no word about parking. Nobody else's `remove()` does: the form is still there then.
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
  iframe.addEventListener('load', forget, { once: true }); // another document has not said so
};

/** False if it has to be removed. */
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
    // A form that has fetched this client secret is there already.
    const isFree = Date.now() - since < LONGEST && !early?.onload;
    const isBack = isFree && move(iframe, early?.parentElement ?? container, early);
    end();
    if (!isBack) return;
    early?.remove();
    iframe.setAttribute(FRAME, '');
    // `mount()` makes it as high as a form that is yet to load.
    queueMicrotask(() => {
      iframe.style.setProperty('height', height, 'important');
      iframe.style.background = '0';
    });
  };
  const timer = setTimeout(end, LONGEST);
  removeParked = end;
  mounted.set(parked, [comeBack, place]);
  return true;
};

/** Neither fields of the page nor its styles change what it is. */
const createPlace = (): HTMLElement => {
  const place = Document.prototype.createElement.call(document, 'div');
  place.hidden = place.inert = true;
  place.style.setProperty('display', 'none', 'important');
  Reflect.get(Document.prototype, 'documentElement', document).append(place);
  return place;
};

/** Whether it could be moved: not in every browser, and only within a document. */
const move = (iframe: Element, into: Element, before: Element | null): boolean => {
  if (!into.moveBefore) return false;
  try {
    into.moveBefore(iframe, before);
    return true;
  } catch {
    return false;
  }
};
