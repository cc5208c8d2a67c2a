/**
 * The built modules as shipped. The tests use the product over HTTP and in a browser; only this file imports it, to
 * start it.
 */

export { earlyFrame } from '../../dist/package/card-form.js';
export { CardForm } from '../../dist/package/react.js';
export { fillCardForm, payCardForm } from '../../dist/package/testing.js';
export { meadow, paper, print } from '../../dist/package/themes.js';
export { createSandbox } from '../../dist/sandbox/sandbox.js';
export { listen } from '../../dist/sandbox/server.js';
export { listenShop } from '../../dist/sandbox/shop.js';
