import { describe, expect, it } from 'vitest';
import { documentOf, inlineEntry, SHARED, withoutEntry } from './document.ts';

const BASE = '/partner/v1/card-form/1/assets/index.js';

describe('the entry in the document', () => {
  it('names what it loads by absolute addresses: the document has two', () => {
    expect(inlineEntry('import("./pay.js");import(`./de.js`)', BASE)).toBe(
      'import("/partner/v1/card-form/1/assets/pay.js");import("/partner/v1/card-form/1/assets/de.js")',
    );
  });

  it('leaves what the others take from it in one property of its global', () => {
    expect(inlineEntry('const a=1,b=2;export{a as x,b as y};', BASE)).toBe(
      `const a=1,b=2;globalThis.${SHARED}={x:a,y:b};`,
    );
  });

  it.each([
    ['import a from "./b.js"', 'a second request before anybody can type'],
    ['import(a)', 'cannot be read here'],
    ["import('./' + a)", 'cannot be read here'],
    ['export * as a from "./b.js"', 'not known here'],
    ['export default 1', 'not known here'],
    ['export const a = 1', 'not known here'],
    ['const a = "</script>"', 'would end a script'],
    ['const a = "<!--"', 'would end a script'],
    ['const', 'no script'],
  ])('is refused where it says %s', (code, message) => {
    expect(() => inlineEntry(code, BASE)).toThrow(message);
  });
});

describe('a script beside it', () => {
  it('takes from the global what it would import from the entry, and nothing else', () => {
    expect(withoutEntry('import{a as b,c}from"./index.js";import{d}from"./e.js";b(c,d)', './index.js')).toBe(
      `const{a:b,c:c}=globalThis.${SHARED};import{d}from"./e.js";b(c,d)`,
    );
  });

  it('finds there what the entry left', () => {
    const run = (code: string) => Function(code)();
    run(inlineEntry('const one=1;const two=()=>one+1;export{two as t}', BASE));
    expect(run(`${withoutEntry('import{t as two}from"./index.js";', './index.js')}return two()`)).toBe(2);
    Reflect.deleteProperty(globalThis, SHARED);
  });

  it.each([
    'import * as all from "./index.js"',
    'import all from "./index.js"',
    'import("./index.js")',
    'export * from "./index.js"',
    'export {a} from "./index.js"',
  ])('is refused where it says %s', (code) => {
    expect(() => withoutEntry(code, './index.js')).toThrow('./index.js is');
  });
});

it('the document has style and script in it, starts what is beside them, and asks for nothing else', () => {
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
  const made = documentOf(html, { script: "const a='$&'", style: 'a{b:"$1"}', ahead: ['/a/pay.js'] });
  expect(made).toBe(`<!doctype html>
<html>
<head>
<link rel="preconnect" href="/" crossorigin>
<link rel="modulepreload" href="/a/pay.js">
<script>"use strict";(()=>{const a='$&'})()</script>
<style>a{b:"$1"}</style>
</head>
<body>
<div id="form"></div>
</body>
</html>
`);
  expect(() => documentOf(html, { script: '', style: '</style>', ahead: [] })).toThrow('end a style');
});
