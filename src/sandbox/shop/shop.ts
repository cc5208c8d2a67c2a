/**
 * A demo shop as a merchant would write it: Node, on a separate origin, with the service's URLs and the package's
 * client for servers. The integration has three steps.
 *
 *  1. The server creates a payment intent with the secret key. The idempotency key is bound to the order, so that a
 *     reload or a second tab gets the same payment (payments.ts).
 *  2. The page passes publishable key and client secret to `CardForm.mount()` (public/checkout.js).
 *  3. The server retrieves the payment and never trusts the browser about it: when a signed webhook arrives, to
 *     fulfil the order even if the buyer has closed the page (webhooks.ts), and on the thank-you page, to show the
 *     current state.
 *
 * /react, /vue and /svelte are the same checkout as a single-page app; orders.ts is their server.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createServiceClient } from '@partner/card-form/server';
import { findAddresses } from './addresses.ts';
import { hostRefused, isOwnHost } from './host.ts';
import { createOrderRoutes } from './orders.ts';
import { cartHtml, type Html, html, page, pageUrl, parseView, publicFolder, type ShopView } from './pages.ts';
import { createPayments, knownOf, SHIP_TO, type ShopOrder } from './payments.ts';
import { textsFor } from './texts.ts';
import { createWebhooks } from './webhooks.ts';

export type ShopOptions = {
  /** The origin of the payment service. */
  service: string;
  secretKey: string;
  publishableKey: string;
  /** The folder public/. */
  root?: string;
  /** The id of the webhook endpoint. If the service is the sandbox, the shop creates the endpoint itself. */
  endpointId?: string;
  /** Host names to accept in addition to the local ones (host.ts). */
  names?: readonly string[];
  /** How often the client retries a request to the service. Tests of failures set no retries. */
  retries?: number;
};

/** The path that the service posts its events to. It needs no login, because the events are signed. */
const WEBHOOKS = '/webhooks';

/** Far more than any event needs. */
const MAX_WEBHOOK_BYTES = 1_000_000;

const FILES: Readonly<Record<string, string>> = {
  '/checkout.js': 'text/javascript',
  '/shop.css': 'text/css',
};

/** The same checkout in three frameworks, built by build.ts. */
const SINGLE_PAGES: readonly string[] = ['/react', '/vue', '/svelte'];

/** The state that request handlers share. */
type Shop = {
  api: string;
  publishableKey: string;
  payments: ReturnType<typeof createPayments>;
  webhooks: ReturnType<typeof createWebhooks>;
  /** Called before each payment is created. */
  registerWebhook: () => Promise<void>;
  root: string;
  orders: Map<string, ShopOrder>;
  /** Ids of the handled events. A real shop stores them with its orders. */
  handledEvents: Set<string>;
  /** The scripts of the single pages, by path. */
  scripts: ReadonlyMap<string, Buffer>;
  headers: Readonly<Record<string, string>>;
  handleOrderRequest: ReturnType<typeof createOrderRoutes>;
};

const headersFor = (api: string) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store', // the checkout page contains a client secret
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
});

/** Read at startup, because a build may replace these files while the shop runs. */
const readScripts = (root: string) =>
  new Map<string, Buffer>(
    SINGLE_PAGES.map((page) => [`${page}.js`, join(root, `../dist/demo${page}.js`)] as const)
      .filter(([, file]) => existsSync(file))
      .map(([pathname, file]) => [pathname, readFileSync(file)]),
  );

/** Places an order and returns the URL of its checkout. */
const placeOrder = ({ orders }: Shop, view: ShopView): string => {
  const id = randomUUID(); // unguessable: anybody who knows it can see and pay the order
  orders.set(id, { id, reference: `MC-${id.slice(0, 8).toUpperCase()}`, view });
  return pageUrl('/checkout', view, id);
};

/** Answers 2xx if the event is handled, 4xx if it is forged. After any other answer the service retries. */
const handleWebhook = async (
  { webhooks, orders, handledEvents, payments }: Shop,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_WEBHOOK_BYTES) {
      response.writeHead(413, { Connection: 'close' }).end();
      return;
    }
    chunks.push(chunk);
  }
  const event = await webhooks.read(Buffer.concat(chunks), request.headers);
  if ('refused' in event) {
    console.error(`shop: refused a webhook, ${event.refused}`);
    response.writeHead(400).end();
    return;
  }
  const id = event.data.object.id;
  const order = [...orders.values()].find(({ intent }) => intent === id);
  if (event.type === 'payment_intent.succeeded' && order && !handledEvents.has(event.id)) {
    // Events may arrive out of order, so ignore the event's content and retrieve the current state.
    const { status } = await payments.retrieve(id);
    if (status === 'succeeded') order.fulfilledBy ??= event.id;
  }
  handledEvents.add(event.id);
  response.writeHead(204).end();
};

/** Answers a request for a page, a file, a webhook or an order. */
const handle = async (shop: Shop, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { api, publishableKey, payments, root, orders, scripts, headers, handleOrderRequest } = shop;
  const { pathname, searchParams } = requestUrl(request);
  const order = orders.get(searchParams.get('order') ?? '');
  const requested = parseView(searchParams);
  const view = order ? { ...requested, cart: order.view.cart, currency: order.view.currency } : requested;
  const texts = textsFor(view.locale);

  const showPage = (template: string, values: Readonly<Record<string, string | Html>>, status = 200) => {
    const home = pageUrl('/', view);
    response.writeHead(status, headers).end(page(root, template, view, { home, ...values }));
  };
  const showMessage = (title: string, text: string, links: Html, detail = '', status = 200) => {
    const number = order ? `${texts.order} ${order.reference}` : '';
    const reference = detail === '' ? number : html`${number}<br>${detail}`;
    showPage('message', { title, text, links, reference }, status);
  };
  const redirect = (location: string) => response.writeHead(303, { ...headers, Location: location }).end();
  const toCart = link(pageUrl('/', view), texts.back);

  const method = request.method === 'HEAD' ? 'GET' : request.method;
  switch (`${method} ${pathname}`) {
    case `POST ${WEBHOOKS}`:
      await handleWebhook(shop, request, response);
      return;

    case 'GET /':
    case 'GET /checkout': {
      if (!searchParams.has('order')) {
        redirect(placeOrder(shop, view)); // the URL names the order, so that a reload gets the same payment
        return;
      }
      if (!order) break;
      await shop.registerWebhook();
      const { id, client_secret } = await payments.create(order);
      order.intent = id;
      showPage('checkout', {
        lines: cartHtml(view),
        reference: order.reference,
        ships: view.cart === 'digital' ? '' : `${texts.ship_to} ${SHIP_TO.name}, ${SHIP_TO.address.city}`,
        loader: `${api}/card-form.js`,
        data: JSON.stringify({
          publishableKey,
          clientSecret: client_secret,
          defaultValues: knownOf(order),
          locale: view.locale,
          thanks: pageUrl('/thanks', view, order.id),
          texts,
        }),
      });
      return;
    }

    case 'GET /addresses': {
      const found = findAddresses(searchParams.get('query') ?? '', searchParams.get('country') ?? '');
      response.writeHead(200, { ...headers, 'Content-Type': 'application/json' }).end(JSON.stringify(found));
      return;
    }

    case 'GET /thanks': {
      if (!order?.intent) break;
      // This page only shows the state. The webhook fulfils the order even if nobody opens this page.
      const { status } = await payments.retrieve(order.intent);
      const again = link(pageUrl('/thanks', view, order.id), texts.reload);
      const back = link(pageUrl('/checkout', view, order.id), texts.pay);
      if (status === 'succeeded') {
        if (order.fulfilledBy)
          showMessage(texts.thanks, texts.paid, toCart, texts.fulfilled + order.fulfilledBy);
        else showMessage(texts.thanks, texts.preparing, again);
      } else if (status === 'processing') showMessage(texts.processing, texts.processing_text, again);
      else showMessage(texts.not_paid, `${texts.not_paid_text}${status}`, html`${again} ${back}`);
      return;
    }
  }

  if (method === 'GET' && SINGLE_PAGES.includes(pathname)) {
    showPage('single-page', { script: `${pathname}.js` });
    return;
  }
  const script = method === 'GET' ? scripts.get(pathname) : undefined;
  if (script) {
    response.writeHead(200, { ...headers, 'Content-Type': 'text/javascript; charset=utf-8' }).end(script);
    return;
  }
  const json = await handleOrderRequest(`${method}`, pathname);
  if (json) {
    response.writeHead(200, { ...headers, 'Content-Type': 'application/json' }).end(JSON.stringify(json));
    return;
  }
  const type = method === 'GET' ? FILES[pathname] : undefined;
  if (type) {
    response.writeHead(200, { ...headers, 'Content-Type': `${type}; charset=utf-8` });
    createReadStream(join(root, pathname)).pipe(response);
  } else showMessage(texts.lost, '', toCart, '', 404);
};

/** Creates the shop's server without listening. */
const createShop = ({
  service,
  host,
  names = [],
  root = publicFolder(),
  ...account
}: Pick<Shop, 'api' | 'publishableKey' | 'payments' | 'webhooks' | 'registerWebhook'> & {
  service: string;
  host: string;
  names?: readonly string[] | undefined;
  root?: string | undefined;
}): Server => {
  const { api, publishableKey, payments, registerWebhook } = account;
  const orders = new Map<string, ShopOrder>();
  const headers = headersFor(api);
  const shop: Shop = {
    ...account,
    root,
    orders,
    handledEvents: new Set(),
    scripts: readScripts(root),
    headers,
    handleOrderRequest: createOrderRoutes(orders, payments, { service, publishableKey }, registerWebhook),
  };

  return createServer((request, response) => {
    const port = request.socket.localPort ?? 0;
    if (!isOwnHost(request.headers.host ?? '', { port, host, names })) {
      response
        .writeHead(403, { ...headers, 'Content-Type': 'text/plain; charset=utf-8' })
        .end(hostRefused(port));
      return;
    }
    handle(shop, request, response).catch((error: Error) => {
      console.error(`shop: ${error.message}`);
      if (response.headersSent) {
        response.destroy();
        return;
      }
      const { pathname, searchParams } = requestUrl(request);
      if (pathname === WEBHOOKS) {
        response.writeHead(500).end(); // the service retries
        return;
      }
      const view = parseView(searchParams);
      const { payment: title, unavailable: text } = textsFor(view.locale);
      const values = { title, text, home: pageUrl('/', view) };
      response.writeHead(502, headers).end(page(root, 'message', view, values));
    });
  });
};

/** Starts the shop. Port 0 takes any free port. The default host accepts connections from this machine only. */
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
  const client = createServiceClient({
    baseUrl: service,
    secretKey: options.secretKey,
    retries: options.retries,
  });
  const webhooks = createWebhooks({ service, client, endpointId: options.endpointId });
  let localUrl = '';
  // Retried before each payment, because the service may start after the shop.
  const registerWebhook = () =>
    webhooks.register(localUrl + WEBHOOKS).catch((error: Error) => {
      console.error(`shop: could not register the webhook endpoint, ${error.message}`);
    });
  const payments = createPayments(client);
  const server = createShop({ ...options, service, host, root, api, payments, webhooks, registerWebhook });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  localUrl = host === '0.0.0.0' || host === '::' ? `http://127.0.0.1:${bound}` : url;
  void registerWebhook();
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

const link = (href: string, text: string) => html`<a href="${href}">${text}</a>`;

/** The path is appended to a fixed origin, so that `//evil.example/` is a path and not a host. */
const requestUrl = (request: IncomingMessage) => new URL(`http://shop.invalid${request.url ?? '/'}`);
