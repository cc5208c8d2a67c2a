/**
 * Bans constructs from the product's code (threat-model C78): strings that become markup or code, messages to any
 * origin, and the console. biome.json bans the direct forms (`eval`, `dangerouslySetInnerHTML`, `console`); this test
 * bans the names themselves, in any expression.
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

/** Sends the only message to any origin: hello, which carries no data (src/form/channel/handshake.ts, 1). */
const HANDSHAKE = 'src/form/channel/handshake.ts';

/** Files that use it as the name for every event, as in `on('*', …)`. */
const EVERY_EVENT: readonly string[] = [
  'src/form/channel/swap-secret.ts',
  'src/form/loader/events.ts',
  'src/form/loader/no-code.ts',
  'src/form/loader/types.ts',
  'src/merchant/binding.ts',
  'src/sandbox/playground/live-form.ts',
];

/** Files that may use the console: for a merchant's developer, or in a terminal. */
const CONSOLE_ALLOWED: readonly string[] = [
  'src/form/frame/merchant/dev-hints.ts',
  'src/form/loader/mistakes.ts',
  'src/form/loader/no-code.ts',
  'src/cli/cli.ts',
];

/** Code that doesn't run in a browser. A new folder counts as browser code until it is listed here. */
const NOT_IN_BROWSER = /^src\/(sandbox\/(cli|service)|owner|api\/(served|command)|cli|build)\//;

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

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The product's sources without tests and their fixtures, and the demo shop's checkout script. */
const sources = (): [string, string][] =>
  ['src', 'public']
    .flatMap((folder) =>
      readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name.replaceAll('\\', '/')}`,
      ),
    )
    .filter((path) => /\.(tsx?|js)$/.test(path) && !/\.(test|fixture)\.tsx?$|\.d\.ts$/.test(path))
    .filter((path) => !/^src\/(sandbox\/(shop\/|start)|build\/development)/.test(path))
    .map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]);

describe('threat-model C78 and C5: banned constructs', () => {
  it('appear nowhere in the product', () => {
    const all = sources();
    expect(all.map(([path]) => path)).toEqual(
      expect.arrayContaining([
        'src/form/loader/main.ts',
        'src/form/frame/components/FormRoot.tsx',
        'src/api/served/headers.ts',
        'public/checkout.js',
      ]),
    );
    const found = all.flatMap(([path, source]) => bannedIn(path, source).map((one) => `${path}: ${one}`));
    const allowed = [HANDSHAKE, ...EVERY_EVENT].map((path) => `${path}: '*'`);
    expect([...new Set(found)].sort()).toEqual(allowed.sort());
  });

  it.each<[string, string, string]>([
    ['src/form/frame/components/FormRoot.tsx', 'node.innerHTML = text;', 'innerHTML'],
    ['src/form/frame/components/FormRoot.tsx', "node['innerHTML'] = text;", 'innerHTML'],
    ['src/form/frame/components/FormRoot.tsx', "Reflect.set(node, 'outerHTML', text);", 'outerHTML'],
    [
      'src/form/frame/components/FormRoot.tsx',
      'const a = <p dangerouslySetInnerHTML={{ __html: text }} />;',
      'dangerouslySetInnerHTML',
    ],
    ['src/form/loader/iframe.ts', 'document.write(text);', 'document.write'],
    ['src/form/frame/main.tsx', '(0, eval)(text);', 'eval'],
    ['src/form/frame/main.tsx', 'new Function(text);', 'Function'],
    ['src/form/frame/main.tsx', 'Function(text)();', 'Function'],
    ['src/form/frame/main.tsx', "setTimeout('pay()', 1);", 'setTimeout of a string'],
    ['src/form/channel/port.ts', "parent.postMessage(message, '*');", "'*'"],
    ['src/form/loader/form.ts', 'const anybody = `*`;', "'*'"],
    ['src/sandbox/inspector/main.tsx', "parent.postMessage(message, '*');", "'*'"],
    ['public/checkout.js', "frame.postMessage(message, '*');", "'*'"],
    ['src/form/payment/payment.ts', 'console.log(secret);', 'console'],
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
    expect(bannedIn('src/form/frame/main.tsx', source)).toEqual([]);
  });
});
