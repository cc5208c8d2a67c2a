import { describe, expect, it, vi } from 'vitest';
import { type FrameWindow, helloOf } from '../form/channel/handshake.ts';
import {
  buildDocument,
  greetingScript,
  importFromGlobal,
  inlineEntry,
  SHARED,
  shortImports,
} from './document.ts';

const BASE = '/partner/v1/card-form/1/assets/index.js';

describe('the inline entry', () => {
  it('imports by absolute URLs, because the document has two addresses', () => {
    expect(inlineEntry('import("./form.js");import(`./de.js`)', BASE)).toBe(
      'import("/partner/v1/card-form/1/assets/form.js");import("/partner/v1/card-form/1/assets/de.js")',
    );
  });

  it('puts its exports on one global', () => {
    expect(inlineEntry('const a=1,b=2;export{a as x,b as y};', BASE)).toBe(
      `const a=1,b=2;globalThis.${SHARED}={x:a,y:b};`,
    );
  });

  it.each([
    ['import a from "./b.js"', 'a second request before a buyer can type'],
    ['import(a)', 'specifier is not a string'],
    ["import('./' + a)", 'specifier is not a string'],
    ['export * as a from "./b.js"', 'has an export'],
    ['export default 1', 'has an export'],
    ['export const a = 1', 'has an export'],
    ['const a = "</script>"', 'would end a script'],
    ['const a = "<!--"', 'would end a script'],
    ['const', 'does not parse'],
  ])('fails the build if it contains %s', (code, message) => {
    expect(() => inlineEntry(code, BASE)).toThrow(message);
  });
});

describe('a script that imports from the entry', () => {
  it('reads those imports from the global, and keeps all others', () => {
    expect(
      importFromGlobal('import{a as b,c}from"./index.js";import{d}from"./e.js";b(c,d)', './index.js'),
    ).toBe(`const{a:b,c:c}=globalThis.${SHARED};import{d}from"./e.js";b(c,d)`);
  });

  it('gets the values that the entry exports', () => {
    const run = (code: string) => Function(code)();
    run(inlineEntry('const one=1;const two=()=>one+1;export{two as t}', BASE));
    expect(run(`${importFromGlobal('import{t as two}from"./index.js";', './index.js')}return two()`)).toBe(2);
    Reflect.deleteProperty(globalThis, SHARED);
  });

  it.each([
    'import * as all from "./index.js"',
    'import all from "./index.js"',
    'import("./index.js")',
    'export * from "./index.js"',
    'export {a} from "./index.js"',
  ])('fails the build if it contains %s', (code) => {
    expect(() => importFromGlobal(code, './index.js')).toThrow('./index.js is');
  });
});

it('the document contains style and script, sends its greeting and requests the named scripts early, and loads nothing else', () => {
  const html = `<!doctype html>
<html>
  <head>
    <script type="module" crossorigin src="/a/index.js"></script>
    <link rel="stylesheet" crossorigin href="/a/index.css">
  </head>
  <body>
    <div id="form"></div>
  </body>
</html>
`;
  const early = { release: '0.1.0-abc', folder: '/a/', small: ['offer'], large: ['pay'] };
  const made = buildDocument(html, { script: "const a='$&'", style: 'a{b:"$1"}', early });
  const [, script = ''] = /<script>(.*)<\/script>/.exec(made) ?? [];
  expect(script).toMatch(
    /^\(.*\)\(window,\{.*\}\),\(.*\)\([`"']\/a\/[`"'],\[[`"']offer[`"']\],\[[`"']pay[`"']\]\);?$/,
  );
  expect(made).toBe(`<!doctype html>
<html>
<head>
<script>${script}</script>
<script>"use strict";(()=>{const a='$&'})()</script>
<style>a{b:"$1"}</style>
</head>
<body>
<div id="form"></div>
</body>
</html>
`);
  expect(() => buildDocument(html, { script: '', style: '</style>', early })).toThrow('end a style');
  const switched =
    'a{--lightningcss-light:initial;--lightningcss-dark: ;color-scheme:light}b{--lightningcss-dark: }';
  expect(buildDocument(html, { script: '', style: switched, early })).toContain(
    '<style>a{color-scheme:light}b{}</style>',
  );
  const used = { script: '', style: 'a{color:var(--lightningcss-light,#fff)}', early };
  expect(() => buildDocument(html, used)).toThrow('light-dark()');
});

it("the early script greets the page as a frame of this release, and keeps the page's answer", () => {
  const postMessage = vi.fn();
  const window: Partial<FrameWindow> = { parent: { postMessage } };
  Function('window', greetingScript('0.1.0-abc'))(window);
  expect(postMessage.mock.calls).toEqual([[helloOf('0.1.0-abc'), '*']]);
  expect(window).toMatchObject({ greeting: { hello: helloOf('0.1.0-abc'), heard: [] } });
});

describe("Vite's wrapper around import()", () => {
  it.each([
    [
      'load(async()=>{let{a:b}=await import(`./a.js`);return{a:b}},[]).then(run)',
      'load(()=>import(`./a.js`)).then(run)',
    ],
    ['load(()=>import(`./a.js`).then(a=>a.run()),[]);', 'load(()=>import(`./a.js`).then(a=>a.run()));'],
    [
      'const run=async()=>(await load(()=>import(`./a.js`),[])).a',
      'const run=async()=>(await load(()=>import(`./a.js`))).a',
    ],
  ])('loses what the helper does not use: %s', (code, shortened) => {
    expect(shortImports(code)).toBe(shortened);
  });

  it.each([
    'load(async()=>{let{a:b}=await import(`./a.js`);return{c:b}},[]);',
    'useEffect(()=>start(),[]);',
    'load(()=>import(`./a.js`),[`./a.css`]);',
    'load(()=>import(`./a.js`),[],import.meta.url);',
  ])('stays, and so does other code: %s', (code) => {
    expect(shortImports(code)).toBe(code);
  });
});
