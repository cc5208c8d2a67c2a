/**
 * The attributes of the form's iframe that limit what its document may do. Merchants paste them with an early frame,
 * and the loader adopts only an iframe that has exactly these (threat-model 1.7).
 */

/**
 * `allow-same-origin`: otherwise the frame's origin is opaque, and `init` could not be posted to it alone.
 * `allow-modals`: for the browser's question before the buyer leaves the page during a payment. `allow-popups`: for a
 * bank's page inside the frame (docs/three-d-secure.md). Without the attribute a compromised frame could navigate the
 * shop.
 */
export const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-modals allow-popups';

/** docs/decisions.md gives the reason for each, also in browsers that don't know it. */
export const ALLOW = 'autofill;payment;publickey-credentials-get';

/** Shows the service which shop embeds the form, never which page. */
export const REFERRER_POLICY = 'origin';

/** Marks the form's iframe: the loader finds it by this in the page's own HTML and in a copy of the page. */
export const MARK = 'data-card-form-frame';

/** Space for the focus ring on each side, in CSS pixels; the frame would clip it otherwise (`styles/first.css`). */
const RING = 4;

/**
 * Makes the iframe wider than its container by the space for the focus ring, so that fields line up with the
 * container's edges, but never wider than the window. With `room` 0 it is as wide as its container.
 */
export const widthStyle = (room = RING): string =>
  `width:clamp(100%,100vw,100% + ${2 * room}px);margin:0 clamp(-${room}px,50% - 50vw,0px);`;

/** The options that affect the height of the form. */
type HeightOptions = {
  publishableKey: string;
  payButton?: unknown;
  view?: unknown;
  defaultValues?: { billingDetails?: { address?: unknown } | undefined } | undefined;
  fields?: { billingDetails?: { address?: unknown } | undefined } | undefined;
};

/**
 * Returns the expected height of the form in a container of this width, all in CSS pixels: the ribbon of a sandbox key,
 * and the rest, in English for an address in the US (`e2e/look/placeholder.spec.ts`).
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
