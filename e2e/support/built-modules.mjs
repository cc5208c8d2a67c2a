/**
 * The built modules as they are shipped. Only here do the tests use the product other than over HTTP and in a browser:
 * to start it.
 */

export { earlyFrame } from '../../dist/package/card-form.js';
export { CardForm } from '../../dist/package/react.js';
export { fillCardForm, payCardForm } from '../../dist/package/testing.js';
export { meadow, paper, print } from '../../dist/package/themes.js';
export { createSandbox } from '../../dist/sandbox/sandbox.js';
export { listen } from '../../dist/sandbox/server.js';
export { listenShop } from '../../dist/sandbox/shop.js';
