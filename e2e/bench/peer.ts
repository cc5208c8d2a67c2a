/** The peer of the comparison, to the extent that its npm package contains it. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { minify } from 'vite';
import { type Contestant, checkout, put, script } from './contestants.ts';
import { type Answer, type BenchServer, SHOP, type Site } from './server.ts';

const require = createRequire(import.meta.url);
const PEER_FIELDS = ['number', 'expirationDate', 'cvv', 'postalCode'];
/** Cacheable, as at the vendor's host: one response for all four frames. */
const PEER_FRAME: Answer = {
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'public, max-age=31536000' },
  body: '<!doctype html><html lang="en"><meta charset="utf-8"><title>Field</title><input name="number"></html>',
};

/**
 * Braintree's page side from its npm package, in the documented flow (two script tags from the vendor's host,
 * `client.create`, then `hostedFields.create` with four fields). The package does not contain the frame; a bare input
 * replaces it, so every time is a lower bound. The service's responses are written here, with the properties that the
 * package reads, and sent immediately.
 */
export const peer = async (server: BenchServer): Promise<Contestant> => {
  const scripts = new Map<string, Answer>();
  const { version } = require('braintree-web/package.json');
  for (const file of ['client', 'hosted-fields']) {
    const source = await readFile(require.resolve(`braintree-web/dist/browser/${file}.js`), 'utf8');
    const { code } = await minify(`${file}.js`, source);
    scripts.set(`/web/${version}/js/${file}.min.js`, script(code));
  }
  server.put('js.braintreegateway.com', (path) => scripts.get(path));
  server.put('assets.braintreegateway.com', (path) =>
    path.includes('hosted-fields-frame') ? PEER_FRAME : undefined,
  );
  server.put('payments.braintree-api.com', fromAnywhere(CONFIGURATION));
  for (const host of LOGGING) server.put(host, fromAnywhere({}));
  const fields = PEER_FIELDS.map((field) => `<div class="field" id="${field}"></div>`).join('');
  const selectors = Object.fromEntries(PEER_FIELDS.map((field) => [field, { selector: `#${field}` }]));
  const at = `https://js.braintreegateway.com/web/${version}/js`;
  return {
    name: 'peer',
    what: `braintree-web ${version}'s client and hosted-fields as the npm package has them, minified here; its remote frames replaced by one bare input each, the service's answers given at once: a lower bound`,
    path: put(
      '/peer',
      checkout(`${fields}</main>
<script src="${at}/client.min.js"></script><script src="${at}/hosted-fields.min.js"></script>
<script>braintree.client.create({ authorization: 'production_x7dkq2mz_bench' })
  .then((client) => braintree.hostedFields.create({ client, fields: ${JSON.stringify(selectors)} }))
  .catch((error) => console.error(error))</script>`),
    ),
    forms: PEER_FIELDS.length,
    fields: 1,
    pays: false,
    number: null,
  };
};

const LOGGING = [
  'www.paypal.com',
  'client-analytics.braintreegateway.com',
  'api.braintreegateway.com',
  'b.stats.paypal.com',
  'c.paypal.com',
];

/** The part of the configuration that the page side reads. */
const CONFIGURATION = {
  data: {
    clientConfiguration: {
      analyticsUrl: 'https://client-analytics.braintreegateway.com/bench',
      environment: 'PRODUCTION',
      merchantId: 'bench',
      assetsUrl: 'https://assets.braintreegateway.com',
      clientApiUrl: 'https://api.braintreegateway.com:443/merchants/bench/client_api',
      creditCard: {
        supportedCardBrands: ['VISA', 'MASTERCARD', 'AMERICAN_EXPRESS', 'DISCOVER', 'JCB'],
        challenges: ['CVV'],
        threeDSecureEnabled: false,
        threeDSecure: null,
      },
      supportedFeatures: ['TOKENIZE_CREDIT_CARDS'],
    },
  },
};

/** A response with CORS headers, also for the preflight request. */
const fromAnywhere =
  (answer: object): Site =>
  (_, method) => {
    const headers = {
      'access-control-allow-origin': `https://${SHOP}`,
      'access-control-allow-headers': 'authorization, braintree-version, content-type, x-requested-with',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-credentials': 'true',
      'access-control-max-age': '600',
    };
    if (method === 'OPTIONS') return { status: 204, headers };
    return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(answer) };
  };
