/**
 * The attributes of the form's iframe that decide what its document may do. Merchants paste them with an early frame, and
 * the loader adopts only an iframe that has exactly these (threat-model 1.7).
 */

/**
 * `allow-same-origin`: otherwise the frame's origin is opaque, and `init` could not be posted to it alone. `allow-modals`:
 * for the browser's question before the buyer leaves the page during a payment. `allow-popups`: for a bank's page inside
 * the frame (docs/three-d-secure.md). Without the attribute a compromised frame could navigate the shop.
 */
export const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-modals allow-popups';

/** Why each, and why also where the browser does not know it: docs/decisions.md. */
export const ALLOW = 'autofill;payment;publickey-credentials-get';

/** Tells the service which shop, never which page. */
export const REFERRER_POLICY = 'origin';

/** The attribute by which the loader finds an iframe in the page's own HTML, and ours in a copy of the page. */
export const MARK = 'data-card-form-frame';

/** The room for the focus ring on each side of the frame, in CSS pixels: the frame would cut it off (`styles/first.css`). */
const RING = 4;

/**
 * The style by which the iframe is wider than its container by the room for the focus ring, so that the fields begin and end
 * where the container does. Not wider than the window. Without `room` it is as wide as its container.
 */
export const widthStyle = (room = RING): string =>
  `width:clamp(100%,100vw,100% + ${2 * room}px);margin:0 clamp(-${room}px,50% - 50vw,0px);`;

/** The options on which the height of the form depends. */
type HeightOptions = {
  publishableKey: string;
  payButton?: unknown;
  view?: unknown;
  defaultValues?: { billingDetails?: { address?: unknown } | undefined } | undefined;
  fields?: { billingDetails?: { address?: unknown } | undefined } | undefined;
};

/**
 * How high the form will be in a container of this width, all in CSS pixels: the ribbon of a sandbox key, and what is below
 * it, in English for an address in the US (`e2e/look/placeholder.spec.ts`).
 */
export const heightsOf = (options: HeightOptions, width: number): readonly [ribbon: number, rest: number] => [
  /sandbox/.test(options.publishableKey) ? 36 : 0,
  options.view === 'status'
    ? 383
    : (options.fields?.billingDetails?.address === 'never'
        ? 362
        : options.defaultValues?.billingDetails?.address
          ? 455
          : width < 720
            ? 924
            : width < 864
              ? 647
              : 570) - (options.payButton === 'host' ? 76 : 0),
];
