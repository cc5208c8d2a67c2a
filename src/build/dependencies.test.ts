/** The dependencies: every package at an exact version, and the packages that may reach a browser. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { BUNDLED, checkPackages, packagesOf } from './packages.ts';
import { purposeOf, scriptsFile } from './script-inventory.ts';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
const { devDependencies, scripts } = read('package.json');
const { packages } = read('package-lock.json');
/** npm's own parser, which has no types. */
const { satisfies }: { satisfies(version: string, range: string): boolean } = createRequire(import.meta.url)(
  'semver',
);

describe('threat-model C75: dependencies', () => {
  it('there are none at run time: installing the package installs nothing else', () => {
    for (const kind of ['dependencies', 'optionalDependencies', 'bundleDependencies'])
      expect(read('package.json')).not.toHaveProperty(kind);
    // npm doesn't install an optional peer dependency. It only checks the version that a shop has.
    const { peerDependencies, peerDependenciesMeta } = read('package.json');
    const optional = Object.keys(peerDependencies).map((name) => [name, { optional: true }]);
    expect(peerDependenciesMeta).toEqual(Object.fromEntries(optional));
  });

  it('have exact versions', () => {
    for (const [name, wanted] of Object.entries<string>(devDependencies)) {
      const version = wanted.replace(/^npm:.+@/, ''); // a second version of a package has an alias
      expect(`${name} ${version}`).toMatch(/ \d+\.\d+\.\d+$/);
      expect(packages[`node_modules/${name}`].version).toBe(version);
    }
  });

  it('run on the oldest supported Node, so that npm ci prints no engine warning', () => {
    const { engines } = read('package.json');
    const [oldest = ''] = /\d+\.\d+$/.exec(engines.node) ?? [];
    expect(engines.node).toBe(`>=${oldest}`);
    const unsupported = Object.entries<{ engines?: { node?: string }; optional?: boolean }>(packages)
      .filter(([path, one]) => path !== '' && one.optional !== true)
      .filter(([, one]) => !satisfies(`${oldest}.0`, one.engines?.node ?? '*'))
      .map(([path, one]) => `${path} wants Node ${one.engines?.node}`);
    expect(unsupported).toEqual([]);
  });

  it('have a hash each, and none needs its install script, so that npm ci --ignore-scripts is enough', () => {
    for (const [path, one] of Object.entries<Record<string, unknown>>(packages)) {
      if (path === '') continue;
      expect(`${path} ${one.integrity}`).toMatch(/ sha512-/);
      // Packages with an install script are for another platform, and optional.
      if (one.hasInstallScript === true) expect([path, one.optional]).toEqual([path, true]);
    }
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(scripts).not.toHaveProperty(name);
  });

  it('.npmrc disables install scripts and saves exact versions', () => {
    const lines = readFileSync(new URL('../../.npmrc', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(';'));
    expect(lines).toEqual(['ignore-scripts=true', 'save-exact=true']);
  });

  it('no script of ours depends on pre- and post-hooks, which ignore-scripts disables', () => {
    const hooks = Object.keys(scripts).filter((name) => {
      const [, base = ''] = /^(?:pre|post)(.+)$/.exec(name) ?? [];
      return base !== '' && (Object.hasOwn(scripts, base) || ['pack', 'install', 'publish'].includes(base));
    });
    expect(hooks).toEqual(['prepack']);
    // Without dist/, `npm pack` alone would make a package without the product.
    expect(scripts.pack).toBe(`${scripts.prepack} && npm pack --ignore-scripts`);
    // `npm publish` reads this setting before it packs, so it runs `prepack` and builds.
    expect(read('package.json').publishConfig).toEqual({ 'ignore-scripts': false });
  });

  it.each([
    ['preact', '10.28.2', 'objects rendered as elements (CVE-2026-22028)'],
    ['zod', '4.6.6', 'keys named __proto__ (2026-08-12)'],
    ['happy-dom', '20.8.9', 'escape from its VM context (CVE-2025-61927, CVE-2026-33943)'],
    ['vite', '8.0.5', 'files read through the development server (CVE-2026-39363)'],
    ['vitest', '4.1.0', 'remote code execution from any website (CVE-2025-24964, GHSA-5xrq-8626-4rwp)'],
  ])('threat-model C76: %s is at least %s, wherever it is installed: %s', (name, least) => {
    const installed = Object.entries<{ version: string }>(packages).filter(([path]) =>
      path.endsWith(`node_modules/${name}`),
    );
    expect(installed).not.toEqual([]);
    for (const [path, { version }] of installed) {
      expect(satisfies(version, `>=${least}`), `${path} ${version}`).toBe(true);
    }
  });
});

describe('the packages of a bundle', () => {
  const modules = (names: readonly string[]) =>
    names.map((name) => `/somewhere/node_modules/${name}/dist/x.mjs`);

  it('are read from its modules, even for nested packages and on Windows', () => {
    expect(
      packagesOf([
        '/a/src/form/frame/main.tsx',
        '\0virtual:address-data/DE',
        '/a/node_modules/zod/v4/mini/index.js',
        '/a/node_modules/zod/v4/core/index.js',
        '/a/node_modules/@preact/signals/node_modules/@preact/signals-core/x.mjs',
        'C:\\a\\node_modules\\@preact\\signals\\x.mjs',
      ]),
    ).toEqual(['@preact/signals', '@preact/signals-core', 'zod']);
  });

  it('match its list exactly, and nothing that runs on the page contains one', () => {
    expect([BUNDLED.loader, BUNDLED.package]).toEqual([[], []]);
    expect(() => checkPackages('loader', ['/a/src/form/loader/main.ts'])).not.toThrow();
    expect(() => checkPackages('loader', modules(['zod']))).toThrow('it contains zod');
    expect(() => checkPackages('frame', modules(BUNDLED.frame))).not.toThrow();
    expect(() => checkPackages('frame', modules([...BUNDLED.frame, 'left-pad']))).toThrow('left-pad');
    expect(() => checkPackages('frame', modules(BUNDLED.frame.slice(1)))).toThrow('@preact/signals, ');
  });
});

describe('PCI DSS 6.4.3: the inventory of scripts', () => {
  const folder = '/partner/v1/card-form/0.1.0-abc';
  const files = {
    '/partner/v1/card-form.js': 'sha384-loader',
    '/partner/v1/card-form/frame': 'sha384-document',
    [`${folder}/assets/form.js`]: 'sha384-form',
    [`${folder}/assets/address-east-asia.json`]: 'sha384-east-asia',
    [`${folder}/assets/keep.js`]: 'sha384-keep',
    [`${folder}/assets/form.css`]: 'sha384-style',
    [`${folder}/card-form.js`]: 'sha384-loader',
  };
  const text = scriptsFile('0.1.0-abc', files, ['sha256-inline'], { preact: '11.2.0' });
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));

  it('has a row with address, purpose and hash for every script and for no other file', () => {
    expect(rows.map((row) => row.split(' | ').length)).toEqual([3, 3, 3, 3, 3]);
    expect(rows.map((row) => /`(sha\d+-[\w-]+)`/.exec(row)?.[1])).toEqual([
      'sha384-loader',
      'sha384-loader',
      'sha256-inline',
      'sha384-form',
      'sha384-keep',
    ]);
    expect(text).toContain('preact 11.2.0');
    expect(text).not.toMatch(/https?:/);
  });

  it('a script without a purpose fails the build', () => {
    expect(purposeOf(`${folder}/assets/form.js`)).toMatch(/^The form/);
    expect(purposeOf(`${folder}/assets/payment.js`)).toMatch(/^The payment/);
    expect(() => purposeOf(`${folder}/assets/tracker.js`)).toThrow('has no purpose');
  });
});
