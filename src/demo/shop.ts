/**
 * A merchant's shop, as a merchant would write it: another origin than the payment service, plain Node, and of
 * us nothing but the service's addresses. Its whole integration is three steps.
 *
 *  1. Its server creates a payment intent with the secret key, under an idempotency key bound to the order, so
 *     that a reload or a second tab leads to the same payment (payments.ts).
 *  2. Its page gives publishable key and client secret to `CardForm.mount()` (public/checkout.js).
 *  3. Its server asks the service what became of the payment. What the browser says decides nothing. It asks when a
 *     signed webhook tells it to, which also comes when the buyer closed the page (webhooks.ts), and packs the order
 *     then; and it asks when the buyer comes to the thank-you page, to show what is.
 *
 * Under /react, /vue and /svelte stands the same as a single page; orders.ts is its server.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { hostRefused, isOwnHost } from './host.ts';
import { createOrders } from './orders.ts';
import { addressOf, cartHtml, type Html, html, page, publicFolder, type View, viewOf } from './pages.ts';
import { createPayments, type Order, SHIP_TO } from './payments.ts';
import { createWebhooks } from './webhooks.ts';
import { wordsFor } from './words.ts';

/**
 * Whose shop it is, and where the service is. `root` is the folder public/; `endpointId` is the webhook endpoint's,
 * which the shop makes itself where the service is the sandbox; `names` are hosts it answers to besides those of this
 * machine.
 */
export type ShopOptions = {
  service: string;
  secretKey: string;
  publishableKey: string;
  root?: string;
  endpointId?: string;
  names?: readonly string[];
};

/** Where the service posts its events. It needs no login: the signature is the proof. */
const WEBHOOKS = '/webhooks';

/** In bytes; an event is far smaller. */
const LONGEST_WEBHOOK = 1_000_000;

const FILES: Readonly<Record<string, string>> = {
  '/checkout.js': 'text/javascript',
  '/shop.css': 'text/css',
};

/** The same checkout in three frameworks, built beside the shop (build.ts). */
const SINGLE_PAGES: readonly string[] = ['/react', '/vue', '/svelte'];

/** Makes the shop's server; it does not listen yet. `hearOfPayments` is called before there can be any. */
const createShop = ({
  service,
  api,
  publishableKey,
  payments,
  webhooks,
  hearOfPayments,
  host,
  names = [],
  root = publicFolder(),
}: {
  service: string;
  api: string;
  publishableKey: string;
  payments: ReturnType<typeof createPayments>;
  webhooks: ReturnType<typeof createWebhooks>;
  hearOfPayments: () => Promise<void>;
  host: string;
  names?: readonly string[] | undefined;
  root?: string | undefined;
}): Server => {
  // Read once: a later build takes the place of these files while the shop runs.
  const scripts = new Map<string, Buffer>(
    SINGLE_PAGES.map((page) => [`${page}.js`, join(root, `../dist/demo${page}.js`)] as const)
      .filter(([, file]) => existsSync(file))
      .map(([address, file]) => [address, readFileSync(file)]),
  );
  const orders = new Map<string, Order>();
  /** Ids of the events that were acted on. A real shop keeps them where it keeps its orders. */
  const known = new Set<string>();
  const answerPage = createOrders(orders, payments, { service, publishableKey }, hearOfPayments);
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

  /** Answers a webhook: 2xx when all is done that had to be, 4xx for a forgery; whatever else brings it again. */
  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of request) {
      length += chunk.length;
      if (length > LONGEST_WEBHOOK) {
        response.writeHead(413, { Connection: 'close' }).end();
        return;
      }
      chunks.push(chunk);
    }
    const event = await webhooks.read(Buffer.concat(chunks), `${request.headers['service-signature'] ?? ''}`);
    if ('refused' in event) {
      console.error(`shop: refused a webhook, ${event.refused}`);
      response.writeHead(400).end();
      return;
    }
    const id = event.data.object.id;
    const order = [...orders.values()].find(({ intent }) => intent === id);
    if (event.type === 'payment_intent.succeeded' && order && !known.has(event.id)) {
      // An event may arrive after a later one: it is only a reason to ask the service what is so now.
      const { status } = await payments.retrieve(id);
      if (status === 'succeeded') order.fulfilledBy ??= event.id;
    }
    known.add(event.id);
    response.writeHead(204).end();
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
    const say = (title: string, text: string, links: Html, fact = '', status = 200) => {
      const named = order ? `${words.order} ${order.reference}` : '';
      const reference = fact === '' ? named : html`${named}<br>${fact}`;
      show('message', { title, text, links, reference }, status);
    };
    const go = (location: string) => response.writeHead(303, { ...headers, Location: location }).end();
    const toCart = link(addressOf('/', view), words.back);

    const method = request.method === 'HEAD' ? 'GET' : request.method;
    switch (`${method} ${pathname}`) {
      case `POST ${WEBHOOKS}`:
        await hear(request, response);
        return;

      case 'GET /':
      case 'GET /checkout': {
        if (!searchParams.has('order')) {
          go(place(view)); // the order stands in the address: a reload leads to the same payment
          return;
        }
        if (!order) break;
        await hearOfPayments();
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
        // Only the webhook has an order packed: it also comes when nobody ever opens this page.
        const { status } = await payments.retrieve(order.intent);
        const again = link(addressOf('/thanks', view, order.id), words.reload);
        const back = link(addressOf('/checkout', view, order.id), words.pay);
        if (status === 'succeeded') {
          if (order.fulfilledBy) say(words.thanks, words.paid, toCart, words.fulfilled + order.fulfilledBy);
          else say(words.thanks, words.preparing, again);
        } else if (status === 'processing') say(words.processing, words.processing_text, again);
        else say(words.not_paid, `${words.not_paid_text}${status}`, html`${again} ${back}`);
        return;
      }
    }

    const send = (type: string, file: string) => {
      response.writeHead(200, { ...headers, 'Content-Type': `${type}; charset=utf-8` });
      createReadStream(file).pipe(response);
    };
    if (method === 'GET' && SINGLE_PAGES.includes(pathname)) {
      show('single-page', { script: `${pathname}.js` });
      return;
    }
    const script = method === 'GET' ? scripts.get(pathname) : undefined;
    if (script) {
      response.writeHead(200, { ...headers, 'Content-Type': 'text/javascript; charset=utf-8' }).end(script);
      return;
    }
    const json = await answerPage(`${method}`, pathname);
    if (json) {
      response.writeHead(200, { ...headers, 'Content-Type': 'application/json' }).end(JSON.stringify(json));
      return;
    }
    const type = method === 'GET' ? FILES[pathname] : undefined;
    if (type) send(type, join(root, pathname));
    else say(words.lost, '', toCart, '', 404);
  };

  return createServer((request, response) => {
    const port = request.socket.localPort ?? 0;
    if (!isOwnHost(request.headers.host ?? '', { port, host, names })) {
      response
        .writeHead(403, { ...headers, 'Content-Type': 'text/plain; charset=utf-8' })
        .end(hostRefused(port));
      return;
    }
    answer(request, response).catch((error: Error) => {
      console.error(`shop: ${error.message}`);
      if (response.headersSent) {
        response.destroy();
        return;
      }
      const { pathname, searchParams } = addressIn(request);
      if (pathname === WEBHOOKS) {
        response.writeHead(500).end(); // the service sends it again
        return;
      }
      const view = viewOf(searchParams);
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
  root,
  ...options
}: ShopOptions & { port: number; host?: string }): Promise<{
  url: string;
  port: number;
  close(): Promise<void>;
}> => {
  const service = options.service.replace(/\/$/, '');
  const api = `${service}/partner/v1`;
  const webhooks = createWebhooks({ ...options, service, api });
  let own = '';
  // Tried again for each payment: the service may start after the shop, and a late webhook is better than none.
  const hearOfPayments = () =>
    webhooks.register(own + WEBHOOKS).catch((error: Error) => {
      console.error(`shop: hears of no payments yet, ${error.message}`);
    });
  const payments = createPayments(api, options.secretKey);
  const server = createShop({ ...options, service, host, root, api, payments, webhooks, hearOfPayments });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  own = host === '0.0.0.0' || host === '::' ? `http://127.0.0.1:${bound}` : url;
  void hearOfPayments();
  return {
    url,
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
