/**
 * A merchant's minimal checkout pages, each made for one test and served from a different site than the service.
 * `window.events` keeps every event of the form.
 */
import { createServer } from 'node:http';
import { listening } from './listening.ts';

/** One event that the page received. `form` is the form's number on the page. */
export type Heard = { form: number; name: string; detail: unknown };

/** The methods of a form that tests call. */
type MountedForm = {
  unmount(): void;
  refresh(): Promise<object>;
  submit(): void;
  on(event: string, listener: () => void): unknown;
  update(changes: object): void;
  focus(field?: string): void;
  blur(): void;
  clear(): void;
  validate(): Promise<object>;
  diagnostics(): Promise<{
    timings: Record<string, number | null>;
    entries: readonly object[];
    cutOffBy?: string;
  }>;
  [Symbol.dispose](): void;
};

declare global {
  interface Window {
    events: Heard[];
    /** Mounts a form and records its events. */
    mountCardForm(target: string, options: object): MountedForm;
    /** Every form of the page, in the order they were mounted. */
    forms: readonly MountedForm[];
  }
}

/** A page to serve. */
export type MerchantPage = {
  /** Options of `mount()`. Without them, the page mounts nothing. */
  options?: object;
  /** HTML inside `<body>`, before the scripts. */
  body?: string;
  css?: string;
  /** The page's Content-Security-Policy. */
  policy?: string;
  /** Other headers of the page. */
  headers?: Record<string, string>;
  /** Nonce of the page's scripts, for a policy that needs one. */
  nonce?: string;
  /** Attributes of the loader's tag. */
  attributes?: string;
  /** Number of loader tags in the page. */
  loaders?: number;
  lang?: string;
};

/** Records every event of a form, and its two promises. */
const SCRIPT = `
const NAMES = ['ready', 'change', 'focus', 'blur', 'escape', 'submitrequest', 'amountchange', 'processing', 'decline', 'ratelimited',
  'error', 'warning', 'result', 'status', 'loaderror'];
window.forms = [];
window.events = [];
window.mountCardForm = (target, options) => {
  const form = CardForm.mount(target, options);
  const number = window.forms.push(form) - 1;
  const keep = (name) => (detail) => window.events.push({ form: number, name, detail: detail ?? null });
  for (const name of NAMES) form.on(name, keep(name));
  form.ready.then(keep('ready promise'));
  form.result.then(keep('result promise'));
  return form;
};
`;

/** Starts the merchant's server; `loader` is the address of the service's script. */
export const startMerchant = async (loader: string) => {
  const files = new Map<string, { type: string; text: string; headers?: Record<string, string> }>();
  const server = createServer((request, response) => {
    const file = files.get((request.url ?? '').replace(/\?.*$/, ''));
    response.writeHead(file ? 200 : 404, {
      'Content-Type': `${file?.type ?? 'text/plain'}; charset=utf-8`,
      ...file?.headers,
    });
    response.end(file?.text);
  });
  const { url, stop } = await listening(server);
  files.set('/elsewhere', {
    type: 'text/html',
    text: '<!doctype html><title>Elsewhere</title><p>Elsewhere</p>',
  });

  return {
    url,

    /** Adds a page and returns its address. */
    serve(page: MerchantPage): string {
      const {
        options,
        body = CONTAINER,
        css = '',
        policy,
        headers,
        nonce,
        attributes = '',
        loaders = 1,
        lang = 'en',
      } = page;
      const path = `/checkout-${files.size}`;
      const proof = nonce === undefined ? '' : ` nonce="${nonce}"`;
      const mount = options ? `mountCardForm('#card-form', ${JSON.stringify(options)});` : '';
      files.set(`${path}.js`, { type: 'text/javascript', text: SCRIPT + mount });
      files.set(`${path}.css`, {
        type: 'text/css',
        text: `body { margin: 16px; font-family: sans-serif }\n${css}`,
      });
      files.set(path, {
        type: 'text/html',
        headers: { ...headers, ...(policy === undefined ? {} : { 'Content-Security-Policy': policy }) },
        text: `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Checkout</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${path}.css">
</head>
<body>${body}
${`<script${proof} src="${loader}" ${attributes}></script>\n`.repeat(loaders)}<script${proof} src="${path}.js"></script>
</body></html>`,
      });
      return `${url}${path}`;
    },

    stop,
  };
};

export type Merchant = Awaited<ReturnType<typeof startMerchant>>;

const CONTAINER = '<main><h1>Checkout</h1><div id="card-form"></div></main>';
