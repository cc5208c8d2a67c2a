/** The page at the root of a sandbox, for a person who opens its URL. It shows which sandbox this is. */
import { createHash } from 'node:crypto';
import { INSPECTOR, PLAYGROUND } from '../../../api/routes.ts';
import { type ControlGuard, controlRefusal } from '../core/loopback.ts';
import { HEADERS } from './developer-page.ts';

const STYLE = `:root{color-scheme:light dark}
body{max-width:560px;margin:0 auto;padding:48px 20px;font:16px/1.5 system-ui,sans-serif;color:light-dark(#16202e,#f1f2f4);background:light-dark(#fff,#14171c)}
h1{margin:0 0 4px;font-size:24px}
p{margin:0 0 28px}
small,dt,p{color:light-dark(#556172,#b4b8c0)}
ul{margin:0 0 28px;padding:0;list-style:none}
li+li{margin-top:8px}
li a{display:block;padding:12px 16px;border:1px solid light-dark(#c3cad5,#4a4f57);border-radius:10px;color:light-dark(#2557d6,#8fb0ff);font-weight:600;text-decoration:none}
li a:hover{border-color:currentcolor}
li small{display:block;font-size:14px;font-weight:400}
a:focus-visible{outline:2px solid currentcolor;outline-offset:2px}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:4px 16px;margin:0;font-size:14px}
dd{margin:0;overflow-wrap:anywhere;font-family:ui-monospace,monospace}`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `shop` returns the URL of the demo shop, if there is one. `keys` are those of the first account. */
export type StartPage = {
  keys: { publishable: string; secret: string };
  shop: () => string | undefined;
};

const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

const link = (href: string, name: string, about: string): string =>
  `<li><a href="${escaped(href)}">${name} <small>${about}</small></a></li>`;

/**
 * Answers a browser that requests `/`, under the inspector's rules (contract 6.3); `null` for any other request, so
 * that programs get JSON. With a control token the page omits the secret key, since other machines may request it.
 */
export const createStartPage =
  ({ keys, shop }: StartPage) =>
  (request: Request, address: string, guard: ControlGuard): Response | null => {
    const { pathname, host } = new URL(request.url);
    if (pathname !== '/' || (request.method !== 'GET' && request.method !== 'HEAD')) return null;
    if (!(request.headers.get('accept') ?? '').includes('text/html')) return null;
    const sent = new Headers(request.headers);
    if (sent.get('sec-fetch-dest') === 'document') sent.delete('sec-fetch-site'); // treat a link like a typed URL
    if (controlRefusal(sent, address, guard) !== null) return null;
    const shopUrl = shop();
    const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox at ${escaped(host)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
<h1>Sandbox at ${escaped(host)}</h1>
<p>A payment service that moves no money. Its payments and keys are its own.</p>
<ul>
${shopUrl === undefined ? '' : link(shopUrl, 'Demo shop', 'Buy something, as a buyer does')}
${link(INSPECTOR, 'Inspector', 'Payments, requests, webhooks, faults, and a clock that you can move')}
${link(PLAYGROUND, 'Playground', 'The form beside its options, and the code for it')}
${link(`${INSPECTOR}api.md`, 'Server API', 'Every route, object, event and error')}
${link('/llms.txt', 'Documentation', 'From the first payment to going live')}
</ul>
<dl>
<dt>Test card</dt><dd>4242 4242 4242 4242, any later date, any security code</dd>
<dt>Publishable key</dt><dd>${escaped(keys.publishable)}</dd>
${guard === null ? `<dt>Secret key</dt><dd>${escaped(keys.secret)}</dd>` : ''}
</dl>
</html>
`;
    return new Response(request.method === 'HEAD' ? null : html, {
      headers: {
        ...HEADERS,
        'content-security-policy': `${POLICY}; img-src data:`,
        'content-type': 'text/html; charset=utf-8',
        'content-length': `${Buffer.byteLength(html)}`,
      },
    });
  };
