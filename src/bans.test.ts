/**
 * Bans constructs from the product's code (threat-model C78): strings that become markup or code, messages to any origin,
 * and the console. biome.json bans the direct forms (`eval`, `dangerouslySetInnerHTML`, `console`); this test bans the
 * names themselves, in whatever expression they appear.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';
import { describe, expect, it } from 'vitest';

/** Turn a string into markup or a document. Banned as identifiers and as strings, which could name a property. */
const SINKS: readonly string[] = [
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'dangerouslySetInnerHTML',
  'srcdoc',
  'setHTMLUnsafe',
  'parseHTMLUnsafe',
  'parseFromString',
  'createContextualFragment',
  'writeln',
];

/** Sends the one message to any origin: hello, which carries no data (src/channel/handshake.ts, 1). */
const HANDSHAKE = 'src/channel/handshake.ts';

/** Name every event by it, as in `on('*', …)`. */
const EVERY_EVENT: readonly string[] = ['src/loader/events.ts', 'src/loader/types.ts'];

/** The files that may use the console: for a merchant's developer, or at a terminal. */
const CONSOLE_ALLOWED: readonly string[] = [
  'src/frame/merchant/dev-hints.ts',
  'src/loader/mistakes.ts',
  'src/loader/no-code.ts',
  'src/sandbox/cli.ts',
];

/** Code that does not run in a browser. A new folder counts as browser code until it is listed here. */
const NOT_IN_BROWSER = /^src\/(sandbox(?!\/inspector\/)|hosting|release|probe|conformance)\//;

/** The banned constructs in a source, in order. */
const bannedIn = (path: string, source: string): string[] => {
  const { program, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const found: string[] = [];
  const checkName = (text: string) => {
    if (SINKS.includes(text)) found.push(text);
    if (text === 'eval') found.push('eval');
    if (text === 'console' && !CONSOLE_ALLOWED.includes(path)) found.push('console');
  };
  const checkCall = (
    callee: { type: string; name?: unknown },
    args: readonly { type: string; value?: unknown }[],
  ) => {
    if (callee.type !== 'Identifier') return;
    if (callee.name === 'Function') found.push('Function');
    const isTimer = callee.name === 'setTimeout' || callee.name === 'setInterval';
    if (isTimer && /Literal$/.test(args[0]?.type ?? '')) found.push(`${callee.name} of a string`);
  };
  new Visitor({
    Identifier: (node) => checkName(node.name),
    JSXIdentifier: (node) => checkName(node.name),
    Literal: ({ value }) => {
      if (typeof value !== 'string') return;
      if (SINKS.includes(value)) found.push(value);
      if (value === '*' && !NOT_IN_BROWSER.test(path)) found.push("'*'");
    },
    TemplateElement: ({ value }) => {
      if (value.raw === '*' && !NOT_IN_BROWSER.test(path)) found.push("'*'");
    },
    NewExpression: (node) => checkCall(node.callee, node.arguments),
    CallExpression: (node) => {
      checkCall(node.callee, node.arguments);
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return;
      const isWrite = callee.property.type === 'Identifier' && callee.property.name === 'write';
      if (isWrite && callee.object.name === 'document') found.push('document.write');
    },
  }).visit(program);
  return found;
};

const root = fileURLToPath(new URL('..', import.meta.url));

/** The product's sources without tests, and the checkout page's script of the demo shop. */
const sources = (): [string, string][] =>
  ['src', 'public']
    .flatMap((folder) =>
      readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name.replaceAll('\\', '/')}`,
      ),
    )
    .filter((path) => /\.(tsx?|js)$/.test(path) && !/\.test\.tsx?$|\.d\.ts$/.test(path))
    .filter((path) => !/^src\/(demo|loop|start|development)\b/.test(path))
    .map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]);

describe('threat-model C78 and C5: banned constructs', () => {
  it('appear nowhere in the product', () => {
    const all = sources();
    expect(all.map(([path]) => path)).toEqual(
      expect.arrayContaining([
        'src/loader/main.ts',
        'src/frame/components/App.tsx',
        'src/hosting/headers.ts',
        'public/checkout.js',
      ]),
    );
    const found = all.flatMap(([path, source]) => bannedIn(path, source).map((one) => `${path}: ${one}`));
    expect([...new Set(found)]).toEqual([HANDSHAKE, ...EVERY_EVENT].map((path) => `${path}: '*'`));
  });

  it.each<[string, string, string]>([
    ['src/frame/components/App.tsx', 'node.innerHTML = text;', 'innerHTML'],
    ['src/frame/components/App.tsx', "node['innerHTML'] = text;", 'innerHTML'],
    ['src/frame/components/App.tsx', "Reflect.set(node, 'outerHTML', text);", 'outerHTML'],
    ['src/frame/components/App.tsx', "element('div', { innerHTML: text });", 'innerHTML'],
    ['src/frame/components/App.tsx', 'const { outerHTML } = node;', 'outerHTML'],
    ['src/frame/components/App.tsx', "node.insertAdjacentHTML('beforeend', text);", 'insertAdjacentHTML'],
    [
      'src/frame/components/App.tsx',
      'const a = <p dangerouslySetInnerHTML={{ __html: text }} />;',
      'dangerouslySetInnerHTML',
    ],
    ['src/loader/iframe.ts', 'iframe.srcdoc = text;', 'srcdoc'],
    ['src/loader/iframe.ts', 'document.write(text);', 'document.write'],
    ['src/loader/iframe.ts', 'document.writeln(text);', 'writeln'],
    ['src/loader/iframe.ts', "new DOMParser().parseFromString(text, 'text/html');", 'parseFromString'],
    ['src/frame/main.tsx', 'eval(text);', 'eval'],
    ['src/frame/main.tsx', '(0, eval)(text);', 'eval'],
    ['src/frame/main.tsx', 'window.eval(text);', 'eval'],
    ['src/frame/main.tsx', 'new Function(text);', 'Function'],
    ['src/frame/main.tsx', 'Function(text)();', 'Function'],
    ['src/frame/main.tsx', "setTimeout('pay()', 1);", 'setTimeout of a string'],
    ['src/channel/port.ts', "parent.postMessage(message, '*');", "'*'"],
    ['src/channel/port.ts', "parent.postMessage(message, { targetOrigin: '*' });", "'*'"],
    ['src/loader/form.ts', 'const anybody = `*`;', "'*'"],
    ['src/appearance/resolve.ts', "parent.postMessage(message, '*');", "'*'"],
    ['src/sandbox/inspector/main.tsx', "parent.postMessage(message, '*');", "'*'"],
    ['public/checkout.js', "frame.postMessage(message, '*');", "'*'"],
    ['src/payment/payment.ts', 'console.log(secret);', 'console'],
    ['src/payment/payment.ts', 'globalThis.console.log(secret);', 'console'],
  ])('would be found in %s: %s', (path, source, banned) => {
    expect(bannedIn(path, source)).toContain(banned);
  });

  it.each([
    'node.textContent = text;',
    'const a: Function[] = [];',
    'setTimeout(() => pay(), 1);',
    "port.postMessage(message, origin, ['*b']);",
    '// innerHTML, eval and console appear in a comment only',
  ])('does not report: %s', (source) => {
    expect(bannedIn('src/frame/main.tsx', source)).toEqual([]);
  });
});
