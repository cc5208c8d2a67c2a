// @vitest-environment happy-dom
/**
 * Runs the recipes of docs/going-live.md for Sentry and OpenTelemetry with the real form, against stand-ins that record
 * their input, and checks that no record depends on what was typed.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as openTelemetry from '../../../e2e/developer/stand-ins/opentelemetry-api.ts';
import * as sentry from '../../../e2e/developer/stand-ins/sentry-browser.ts';
import { stubIntersectionObserver } from '../../form/frame/press/intersection-observer.fixture.ts';
import { connectExample } from '../../form/frame/session/connected-form.fixture.ts';
import { createEvents } from '../../form/loader/events.ts';
import { exampleIntent } from '../../form/payment/payment.fixture.ts';

const root = join(import.meta.dirname, '../../..');

type Watch = (form: Pick<ReturnType<typeof open>, 'on' | 'diagnostics'>) => void;
type Recipe = { watch: Watch; recorded: unknown[] };
const recipes: Record<string, Recipe> = {};

/** The function exported by the page's block for this package, run with a stand-in for its imports. */
const load = async (imports: string, standIn: object): Promise<Watch> => {
  const page = await readFile(join(root, 'docs/going-live.md'), 'utf8');
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
  const block = blocks.find((text) => text.includes(imports));
  if (block === undefined) throw new Error(`No block of the page has: ${imports}`);
  const [, body] =
    /^export const \w+ = ([\s\S]+);\s*$/m.exec(block.replace('(form: CardFormInstance): void', '(form)')) ??
    [];
  const watch: unknown = runInNewContext(`(${body})`, { ...standIn, performance, addEventListener });
  if (typeof watch !== 'function') throw new Error(`The block exports no function: ${block}`);
  return (form) => watch(form);
};

beforeAll(async () => {
  recipes.Sentry = {
    watch: await load("import * as Sentry from '@sentry/browser';", { Sentry: sentry }),
    recorded: sentry.recorded,
  };
  recipes.OpenTelemetry = {
    watch: await load("import { trace } from '@opentelemetry/api';", { trace: openTelemetry.trace }),
    recorded: openTelemetry.recorded,
  };
});

const request = vi.fn<typeof globalThis.fetch>();
const ends: (() => void)[] = [];
beforeEach(() => {
  stubIntersectionObserver();
  vi.stubGlobal('fetch', request);
  vi.stubGlobal('reportError', (defect: unknown) => {
    throw defect;
  });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  request.mockReset();
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  for (const { recorded } of Object.values(recipes)) recorded.length = 0;
  vi.unstubAllGlobals();
});

/** A form as seen by the page: the loader's events and the frame behind them. */
const open = (options: object) => {
  const [emit, events] = createEvents();
  const { form, hear, end } = connectExample({ payButton: 'host', ...options }, (message) => {
    if (message.type === 'diagnostics') emit('diagnostics', message.diagnostics);
    else if (message.type === 'error') emit('error', message.error);
    else if (message.type === 'result') emit('result', message.result);
    else if (message.type === 'warning') emit('warning', message);
    else if (message.type === 'change') emit('change', message);
  });
  ends.push(end);
  return {
    ...events,
    form,
    submit: () => hear({ type: 'submit' }),
    diagnostics: () =>
      new Promise((resolve) => {
        events.once('diagnostics', resolve);
        hear({
          type: 'diagnostics',
          release: '0.1.0-abc',
          timeOrigin: performance.timeOrigin,
          timings: { mounted: 7 },
        });
      }),
  };
};

/** The buyer's input and the payment's secret. The letters differ, so that any part of it is recognisable. */
type Contents = Record<'number' | 'cvc' | 'name' | 'email' | 'city' | 'secret', string>;

const word = fc.stringMatching(/^[q-z]{9,14}$/);
const contents: fc.Arbitrary<Contents> = fc.record({
  number: fc.constantFrom('4242424242424242', '4000000000000002', '4111111111111111'),
  cvc: fc.stringMatching(/^\d{3}$/),
  name: word.map((name) => `${name} Buyer`),
  email: word.map((name) => `${name}@example.com`),
  city: word,
  secret: fc.stringMatching(/^[0-9a-f]{32}$/).map((random) => `lg_cs_${random}`),
});

/** Opens a watched form and types the contents into it. */
const fill = (recipe: Recipe, { secret, ...typed }: Contents) => {
  const page = open({
    clientSecret: secret,
    defaultValues: { billingDetails: { address: { city: typed.city, country: 'US' } } },
  });
  recipe.watch(page);
  const { fields } = page.form;
  fields.number.type(typed.number);
  fields.cvc.type(typed.cvc);
  fields.name.type(typed.name);
  fields.email.type(typed.email);
  return page;
};

/**
 * The recordings for two forms: one is pressed too early, and the other's service quotes all the contents in its error.
 */
const record = async (recipe: Recipe, filled: Contents): Promise<string> => {
  recipe.recorded.length = 0;
  const quote = JSON.stringify(filled);
  request.mockImplementation(async () => Response.json(exampleIntent({ description: quote })));
  const pressed = fill(recipe, filled);
  await expect.poll(() => pressed.diagnostics()).toHaveProperty('timings.payable');
  pressed.submit();
  const error = {
    type: 'invalid_request_error',
    code: 'invalid_client_secret',
    message: quote,
    param: quote,
  };
  request.mockImplementation(async () => Response.json({ error }, { status: 401 }));
  const refused = fill(recipe, filled);
  await new Promise((resolve) => refused.once('result', resolve));
  for (const page of [pressed, refused]) await page.diagnostics();
  await new Promise((resolve) => setImmediate(resolve));
  // Times differ from run to run.
  return JSON.stringify(recipe.recorded, (name, value) =>
    typeof value === 'number' && /^(at|startTime|mounted|typeable|payable)$|timings/.test(name) ? 0 : value,
  );
};

describe.each(['Sentry', 'OpenTelemetry'])('the recipe for %s', (library) => {
  const recipe = (): Recipe => recipes[library] ?? { watch: () => undefined, recorded: [] };

  it('promises 1.7: records the same whatever the buyer typed, and none of it: no card, no buyer, no secret', async () => {
    await fc.assert(
      fc.asyncProperty(contents, contents, async (one, other) => {
        const told = await record(recipe(), one);
        expect(await record(recipe(), other)).toBe(told);
        for (const value of Object.values(one).filter((text) => text.length > 3)) {
          expect(told).not.toContain(value.split(' ')[0]);
        }
        expect(told).not.toMatch(/lg_cs_|pk_live_|\d{7}/);
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it('records the reason, the release and the numbers', async () => {
    const [first] = fc.sample(contents, 1);
    if (!first) throw new Error('There is no example.');
    const told = await record(recipe(), first);
    for (const part of ['invalid_client_secret', '0.1.0-abc', 'incomplete', 'retrieve.401', 'payable']) {
      if (library === 'OpenTelemetry' && part === 'invalid_client_secret') continue; // records only event names
      expect(told).toContain(part);
    }
  });
});
