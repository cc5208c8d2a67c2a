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
