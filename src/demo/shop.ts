/**
 * A merchant's shop, as a merchant would write it: another origin than the payment service, plain Node, and of
 * us nothing but the service's addresses. Its whole integration is three steps.
 *
 *  1. Its server creates a payment intent with the secret key, under an idempotency key bound to the order, so
 *     that a reload or a second tab leads to the same payment (payments.ts).
 *  2. Its page gives publishable key and client secret to `CardForm.mount()` (public/checkout.js).
 *  3. Its server asks the service what became of the payment. What the browser says decides nothing.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { addressOf, cartHtml, type Html, html, page, publicFolder, type View, viewOf } from './pages.ts';
import { createPayments, type Order, SHIP_TO } from './payments.ts';
import { wordsFor } from './words.ts';

/** Whose shop it is, and where the service is. `root` is the folder public/. */
export type ShopOptions = { service: string; secretKey: string; publishableKey: string; root?: string };

const FILES: Readonly<Record<string, string>> = {
  '/checkout.js': 'text/javascript',
  '/shop.css': 'text/css',
};

/** Makes the shop's server; it does not listen yet. */
export const createShop = ({
  service,
  secretKey,
  publishableKey,
  root = publicFolder(),
}: ShopOptions): Server => {
  const api = `${service.replace(/\/$/, '')}/partner/v1`;
  const payments = createPayments(api, secretKey);
  const orders = new Map<string, Order>();
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store', // the checkout page holds a client secret
    'Content-Security-Policy': [
      "default-src 'none'",
      `script-src 'self' ${api}/`,
      `frame-src ${api}/card-form/`,
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'self'",
      "require-trusted-types-for 'script'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };

  const place = (view: View): string => {
    const id = randomUUID(); // not to be guessed: whoever knows it sees the order and may pay it
    orders.set(id, { id, reference: `MC-${id.slice(0, 8).toUpperCase()}`, view });
    return addressOf('/checkout', view, id);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = addressIn(request);
    const order = orders.get(searchParams.get('order') ?? '');
    const asked = viewOf(searchParams);
    const view = order ? { ...asked, cart: order.view.cart, currency: order.view.currency } : asked;
    const words = wordsFor(view.locale);

    const show = (template: string, values: Readonly<Record<string, string | Html>>, status = 200) => {
      const home = addressOf('/', view);
      response.writeHead(status, headers).end(page(root, template, view, { home, ...values }));
    };
    const say = (title: string, text: string, links: Html, status = 200) =>
      show(
        'message',
        { title, text, links, reference: order ? `${words.order} ${order.reference}` : '' },
        status,
      );
    const go = (location: string) => response.writeHead(303, { ...headers, Location: location }).end();
    const toCart = link(addressOf('/', view), words.back);

    const method = request.method === 'HEAD' ? 'GET' : request.method;
    switch (`${method} ${pathname}`) {
      case 'GET /':
      case 'GET /checkout': {
        if (!searchParams.has('order')) {
          go(place(view)); // the order stands in the address: a reload leads to the same payment
          return;
        }
        if (!order) break;
        const { id, client_secret } = await payments.create(order);
        order.intent = id;
        show('checkout', {
          lines: cartHtml(view),
          reference: order.reference,
          ships: view.cart === 'digital' ? '' : `${words.ship_to} ${SHIP_TO.name}, ${SHIP_TO.address.city}`,
          loader: `${api}/card-form.js`,
          data: JSON.stringify({
            publishableKey,
            clientSecret: client_secret,
            locale: view.locale,
            thanks: addressOf('/thanks', view, order.id),
            words,
          }),
        });
        return;
      }

      case 'GET /thanks': {
        if (!order?.intent) break;
        // The only place where the shop learns that it was paid; in earnest a verified webhook is another.
        const { status } = await payments.retrieve(order.intent);
        const again = link(addressOf('/thanks', view, order.id), words.reload);
        const back = link(addressOf('/checkout', view, order.id), words.pay);
        if (status === 'succeeded') say(words.thanks, words.paid, toCart);
        else if (status === 'processing') say(words.processing, words.processing_text, again);
        else say(words.not_paid, `${words.not_paid_text}${status}`, html`${again} ${back}`);
        return;
      }
    }

    const type = method === 'GET' ? FILES[pathname] : undefined;
    if (!type) {
      say(words.lost, '', toCart, 404);
      return;
    }
    response.writeHead(200, { ...headers, 'Content-Type': `${type}; charset=utf-8` });
    createReadStream(join(root, pathname)).pipe(response);
  };

  return createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      console.error(`shop: ${error.message}`);
      if (response.headersSent) {
        response.destroy();
        return;
      }
      const view = viewOf(addressIn(request).searchParams);
      const { payment: title, unavailable: text } = wordsFor(view.locale);
      const values = { title, text, home: addressOf('/', view) };
      response.writeHead(502, headers).end(page(root, 'message', view, values));
    });
  });
};

/** Starts the shop. Port 0 takes any that is free; only this machine is let in unless `host` says otherwise. */
export const listenShop = async ({
  port,
  host = '127.0.0.1',
  ...options
}: ShopOptions & { port: number; host?: string }): Promise<{
  url: string;
  port: number;
  close(): Promise<void>;
}> => {
  const server = createShop(options);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const link = (address: string, text: string) => html`<a href="${address}">${text}</a>`;

/** The path alone is joined to a fixed origin: `//evil.example/` is a path here, not a host. */
const addressIn = (request: IncomingMessage) => new URL(`http://shop.invalid${request.url ?? '/'}`);
