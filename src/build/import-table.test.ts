import { expect, it } from 'vitest';
import { namesOnce } from './import-table.ts';

const entry = (name: string, exported = name) =>
  `${name.includes('-') ? `"${name}"` : name}:()=>v(()=>import(\`./${name}.js\`).then(e=>e.${exported}),[])`;
const TABLE = `const v=f=>f(),d={${entry('de')},${entry('fr')},${entry('zh-Hant', 'zhHant')}};d.de()`;

it('a table of imports that differ in their names alone has each name once', () => {
  expect(namesOnce(TABLE)).toBe(
    `const v=f=>f(),d=Object.fromEntries(\`de fr zh-Hant\`.split(\` \`).map(a=>[a,()=>v(()=>import(\`./\${a}.js\`).then(e=>e[a.replace(\`-\`,\`\`)]),[])]));d.de()`,
  );
});

it('imports the same as before', async () => {
  const run = async (code: string) => {
    const loaded: string[] = [];
    const load = async (url: string) => {
      loaded.push(url);
      return { de: 1, fr: 2, zhHant: 3 };
    };
    const calls = 'return Promise.all(Object.entries(d).map(async([name,load])=>[name,await load()]))';
    return {
      loaded,
      values: await Function('load', `${code.replaceAll('import(', 'load(')};${calls}`)(load),
    };
  };
  const table = TABLE.replace(';d.de()', '');
  expect(await run(namesOnce(table))).toEqual(await run(table));
  expect(await run(table)).toEqual({
    loaded: ['./de.js', './fr.js', './zh-Hant.js'],
    values: [
      ['de', 1],
      ['fr', 2],
      ['zh-Hant', 3],
    ],
  });
});

it('its parameter is a name that the entries do not use', () => {
  const table = `d={${['x', 'y'].map((name) => `${name}:()=>a(b=>import("./${name}.js").then(c=>c.${name}))`)}}`;
  expect(namesOnce(table)).toContain(`.map(d=>[d,()=>a(b=>import(\`./\${d}.js\`)`);
});

it.each([
  ['entries that differ otherwise', 'd={a:()=>import("./a.js").then(e=>e.a),b:()=>import("./b.js")}'],
  ['files with other names', 'd={a:()=>import("./x.js").then(e=>e.a),b:()=>import("./y.js").then(e=>e.b)}'],
  ['other exports', 'd={a:()=>import("./a.js").then(e=>e.t),b:()=>import("./b.js").then(e=>e.t)}'],
  ['one import', 'd={a:()=>import("./a.js").then(e=>e.a)}'],
  ['a table of values', 'd={a:1,b:2}'],
  ['a spread', 'd={...e}'],
])('leaves %s as it is', (_, code) => {
  expect(namesOnce(code)).toBe(code);
});
