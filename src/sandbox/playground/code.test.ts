import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { compile } from 'svelte/compiler';
import { transformWithOxc } from 'vite';
import { describe, expect, it } from 'vitest';
import { compileScript, parse } from 'vue/compiler-sfc';
import { meadow, paper, print } from '../../merchant/themes.ts';
import { anyChoices, EVERYTHING } from './choices.fixture.ts';
import { type Choices, DEFAULTS, optionsOf, TARGETS, type Target } from './choices.ts';
import { codeFor } from './code.ts';

const SERVICE = {
  origin: 'https://pay.example',
  publishableKey: 'pk_live_sandbox0000000000000000000000001',
};

const textOf = (target: Target, choices: Choices) => codeFor(target, choices, SERVICE).text;

/** Returns the options that a page with this code passes to `mount()`, without key and secret. */
const mountedBy = async (code: string): Promise<unknown> => {
  const mounted: unknown[] = [];
  const CardForm = {
    mount: (target: string, { publishableKey, clientSecret, ...options }: Record<string, unknown>) => {
      expect([target, publishableKey, clientSecret]).toEqual([
        '#card-form',
        SERVICE.publishableKey,
        'lg_cs_…',
      ]);
      mounted.push(options);
      return { on: () => undefined, submit: () => undefined };
    },
  };
  const document = { querySelector: () => ({ addEventListener: () => undefined }) };
  const loadCardForm = async (origin: string) => {
    expect(origin).toBe(SERVICE.origin);
    return CardForm;
  };
  await runInNewContext(`(async () => {${code}})()`, {
    ...(code.includes('loadCardForm') ? { loadCardForm } : { CardForm }),
    document,
    paper,
    print,
    meadow,
  });
  expect(mounted).toHaveLength(1);
  // Converts objects of another realm.
  return JSON.parse(JSON.stringify(mounted[0]));
};

const withoutImports = (code: string) => code.replace(/^\s*import .*$/gm, '');
const scriptIn = (html: string) => /<script>\n([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';

describe('the code for a script tag', () => {
  it('is this for a form with two choices', () => {
    expect(textOf('script', { ...DEFAULTS, locale: 'de', variables: { colorPrimary: '#9a3412' } })).toBe(
      `<div id="card-form"></div>
<script src="https://pay.example/partner/v1/card-form.js"></script>
<script>
  const form = CardForm.mount('#card-form', {
    publishableKey: 'pk_live_sandbox0000000000000000000000001',
    clientSecret: 'lg_cs_…', // from your server
    locale: 'de',
    appearance: { variables: { colorPrimary: '#9a3412' } },
  });
  form.on('result', ({ outcome }) => {
    if (outcome === 'succeeded') location.assign('/thanks');
  });
</script>
`,
    );
  });

  it('mounts the form that is on the screen, whatever was chosen', async () => {
    await fc.assert(
      fc.asyncProperty(anyChoices, async (choices) => {
        expect(await mountedBy(scriptIn(textOf('script', choices)))).toEqual(optionsOf(choices));
      }),
    );
    expect(await mountedBy(scriptIn(textOf('script', EVERYTHING)))).toEqual(optionsOf(EVERYTHING));
  });
});

describe('the code for a module', () => {
  it('names a theme of the package instead of copying it', () => {
    const code = textOf('module', {
      ...DEFAULTS,
      preset: 'paper',
      fields: 'grouped',
      variables: { borderRadius: '2px' },
    });
    expect(code).toContain("import { paper } from '@partner/card-form/themes';");
    expect(code).toContain(
      "appearance: {\n    ...paper,\n    fields: 'grouped',\n    variables: { ...paper.variables, borderRadius: '2px' },\n  },",
    );
    expect(textOf('module', { ...DEFAULTS, preset: 'print' })).toContain('  appearance: print,');
  });

  it('mounts the form that is on the screen, whatever was chosen', async () => {
    await fc.assert(
      fc.asyncProperty(anyChoices, async (choices) => {
        expect(await mountedBy(withoutImports(textOf('module', choices)))).toEqual(optionsOf(choices));
      }),
    );
  });
});

/** Returns the properties that the component in this code gets. */
const propertiesIn = async (code: string): Promise<Record<string, unknown>> => {
  const { code: plain } = await transformWithOxc(withoutImports(code), 'payment.tsx', {
    jsx: { runtime: 'classic', pragma: 'element', pragmaFrag: 'Fragment' },
  });
  const found: Record<string, unknown>[] = [];
  runInNewContext(
    `${plain.replace(/^export\s*\{.*$|^export /gm, '')}\nPayment({ clientSecret: 'lg_cs_1' });`,
    {
      CardForm: 'CardForm',
      element: (tag: unknown, properties: Record<string, unknown>) => {
        if (tag === 'CardForm') found.push(properties);
      },
      Fragment: 'Fragment',
      useRef: () => ({ current: null }),
      paper,
      print,
      meadow,
    },
  );
  expect(found).toHaveLength(1);
  return JSON.parse(JSON.stringify(found[0]));
};

describe('the code for React', () => {
  it('renders the form that is on the screen, whatever was chosen', async () => {
    await fc.assert(
      fc.asyncProperty(anyChoices, async (choices) => {
        const { ref: _, ...properties } = await propertiesIn(textOf('react', choices));
        expect(properties).toEqual({
          baseUrl: SERVICE.origin,
          publishableKey: SERVICE.publishableKey,
          clientSecret: 'lg_cs_1',
          ...optionsOf(choices),
        });
      }),
      { numRuns: 30 },
    );
  });
});

describe('the code for Vue and Svelte', () => {
  const cases: readonly [string, Choices][] = [
    ['the defaults', DEFAULTS],
    ['everything', EVERYTHING],
  ];

  it.each(cases)('compiles: %s', (_, choices) => {
    const { descriptor, errors } = parse(textOf('vue', choices));
    expect(errors).toEqual([]);
    const { bindings } = compileScript(descriptor, { id: 'payment', inlineTemplate: true });
    for (const name of choices === EVERYTHING ? ['appearance', 'defaultValues', 'translations'] : [])
      expect(bindings).toHaveProperty(name);
    expect(compile(textOf('svelte', choices), { generate: 'client' }).warnings).toEqual([]);
  });

  it("a button of the page presses the form's, by the instance that the component gives", () => {
    const choices: Choices = { ...DEFAULTS, payButton: 'host' };
    expect(textOf('react', choices)).toContain('ref={form}');
    expect(textOf('react', choices)).toContain('form.current?.submit()');
    expect(textOf('vue', choices)).toContain('v-model:form="form"');
    expect(textOf('svelte', choices)).toContain('bind:form\n');
    for (const target of ['react', 'vue', 'svelte'] as const) {
      expect(textOf(target, choices)).toContain(
        "import type { CardFormInstance } from '@partner/card-form';",
      );
      expect(textOf(target, DEFAULTS)).not.toContain('submit');
    }
  });

  it('names each option as the framework does', () => {
    const vue = textOf('vue', EVERYTHING);
    for (const attribute of [
      'locale="zh-Hant"',
      'pay-button="host"',
      'read-only',
      ':appearance="appearance"',
      ':default-values="defaultValues"',
      ':accepted-brands="acceptedBrands"',
      '@result="finish"',
    ]) {
      expect(vue).toContain(`\n    ${attribute}\n`);
    }
    const svelte = textOf('svelte', EVERYTHING);
    for (const attribute of [
      'locale="zh-Hant"',
      'payButton="host"',
      'readOnly',
      '{appearance}',
      '{defaultValues}',
    ]) {
      expect(svelte).toContain(`\n  ${attribute}\n`);
    }
  });
});

describe('the code without code', () => {
  it('has an attribute for each option that attributes can set, and names the other options', () => {
    const { text, missing } = codeFor('no-code', EVERYTHING, SERVICE);
    expect(text).toContain(
      '<card-form\n  client-secret="lg_cs_…"\n  locale="zh-Hant"\n  theme="dark"\n  labels="floating"\n  pay-button="host"\n  button-type="order"\n  read-only\n></card-form>',
    );
    expect(missing).toEqual([
      'appearance.variables',
      'appearance.darkVariables',
      'appearance.fields',
      'appearance.card',
      'appearance.nameField',
      'appearance.placeholders',
      'appearance.brands',
      'appearance.rules',
      'defaultValues',
      'fields',
      'allowedCountries',
      'acceptedBrands',
      'translations',
    ]);
    expect(codeFor('no-code', { ...DEFAULTS, locale: 'fr' }, SERVICE).missing).toEqual([]);
  });
});

describe('the code for every way of embedding', () => {
  it.each(TARGETS)('prints no option that is as by default: %s', (target) => {
    const { text, missing } = codeFor(target, { ...DEFAULTS, width: 768, page: 'dark' }, SERVICE);
    expect(missing).toEqual([]);
    expect(text).not.toMatch(
      /locale|appearance|payButton|pay-button|buttonType|button-type|defaultValues|fields|Countries|Brands|translations|read-?only/i,
    );
  });

  it.each(TARGETS)('a text of the page cannot end a script or begin a tag: %s', (target) => {
    expect(textOf(target, EVERYTHING)).not.toContain('</script><b>');
    expect(textOf(target, EVERYTHING)).not.toContain('<!--');
  });
});
