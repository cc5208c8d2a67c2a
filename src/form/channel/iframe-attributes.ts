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
            : width < 872
              ? 647
              : 570) - (options.payButton === 'host' ? 76 : 0),
];
