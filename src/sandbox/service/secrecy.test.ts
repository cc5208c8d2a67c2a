import fc from 'fast-check';
import type { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runs } from '../../proof/fuzz.ts';
import { createApp } from './app.ts';
import type { SandboxEnv } from './http/context.ts';
import { hasCheckDigit } from './payments/outcomes.ts';
import {
  BILLING,
  confirmBody,
  createWorld,
  GOOD_CARD,
  refusedWith,
  type SandboxWorld,
} from './sandbox.fixture.ts';
import { SANDBOX_KEYS } from './service.ts';

/** Numbers that could be somebody's card: 13 to 19 digits with a correct check digit. None is a sandbox test number. */
const realNumber = fc
  .tuple(
    fc.constantFrom('4', '5', '34', '37', '60', '35', '30', '62'),
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 13, maxLength: 16 }),
  )
  .map(([start, digits]) => {
    const body = start + digits.join('');
    const last = [...Array(10).keys()].find((digit) => hasCheckDigit(body + digit)) ?? 0;
    return body + last;
  })
  // The sandbox's own keys contain long runs of zeros.
  .filter((number) => !number.includes('0000000'));

/** Three digits that no text of the sandbox contains. */
const SECURITY_CODE = '917';

/** Returns true if the text repeats the number: as is, in groups, or truncated. */
const holds = (text: string, number: string): boolean =>
  text.replace(/(?<=\d)[ -](?=\d)/g, '').includes(number.slice(0, 12));

const holdsCode = (text: string): boolean => new RegExp(`(?<![\\w.])${SECURITY_CODE}(?![\\w])`).test(text);

/** All output of this process while a test is running. */
let written: string[];

beforeEach(() => {
  written = [];
  const keep = (chunk: string | Uint8Array) => {
    written.push(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk));
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
  vi.spyOn(process.stderr, 'write').mockImplementation(keep);
  for (const level of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) {
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => keep(JSON.stringify(words)));
  }
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns all of the app's routes. */
const routesOf = (app: Hono<SandboxEnv>): { method: string; path: string }[] =>
  app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => ({ method, path }));

/** Bodies with a card in the right place, in wrong places, and in unreadable JSON. */
const bodiesWith = (
  number: string,
  intent: Parameters<typeof confirmBody>[0],
  cut: number,
): readonly (string | object)[] => {
  const card = { number, exp_month: 12, exp_year: 2031, cvc: SECURITY_CODE };
  const grouped = number.replace(/(.{4})(?=.)/g, '$1 ');
  const whole = confirmBody(intent, number, { card });
  const text = JSON.stringify(whole);
  return [
    whole,
    // In a wrong place or of a wrong type.
    { ...whole, card: { ...card, number: Number(number), cvc: Number(SECURITY_CODE) } },
    { ...whole, card: { ...card, number: grouped } },
    { ...whole, card: { ...card, number: [number], cvc: { [SECURITY_CODE]: true } } },
    { ...whole, card: { ...card, exp_month: Number(number), exp_year: Number(SECURITY_CODE) } },
    { ...whole, card: { ...card, [number]: number } },
    { ...whole, card: `${number}/${SECURITY_CODE}` },
    { ...whole, amount_total: Number(number) },
    { ...whole, currency: number },
    { ...whole, client_secret: number },
    { ...whole, billing_details: { ...BILLING, postal_code: number } },
    { ...whole, billing_details: { ...BILLING, email: number } },
    {
      ...whole,
      billing_details: { ...BILLING, address: { ...BILLING.address, postal_code: Number(SECURITY_CODE) } },
    },
    { ...whole, billing_details: { ...BILLING, address: { ...BILLING.address, country: number } } },
    { [number]: number, [grouped]: SECURITY_CODE },
    { amount: Number(number), currency: number, items: [{ name: '', quantity: Number(number) }] },
    { amount: number, order_reference: Number(number), metadata: { [number.repeat(4)]: Number(number) } },
    { key: number, advance_seconds: -Number(number), suspended: number, route: number, [number]: 1 },
    [number],
    // Unreadable.
    text.slice(0, cut % text.length),
    `${text}${number}`,
    text.replaceAll('"', "'"),
    `number=${number}&cvc=${SECURITY_CODE}`,
    `"${number}`,
    number,
    '\u0000',
  ];
};

describe('contract 6.2, threat-model C73: no real card is ever used', () => {
  it('a number that is not a test number is refused, is not repeated, and charges nothing', async () => {
    await fc.assert(
      fc.asyncProperty(realNumber, async (number) => {
        const world = createWorld({ attempts: 20 });
        const intent = await world.intent();
        const response = await world.client('confirm', confirmBody(intent, number));
        expect(response).toMatchObject(refusedWith(402, 'payment_method_declined'));
        expect(response.text).toContain('The sandbox takes its own test numbers only');
        expect(holds(response.text, number)).toBe(false);
        expect(world.service.store.charges).toEqual([]);
      }),
      { numRuns: runs(100) },
    );
  });

  it.each([13, 14, 15, 16, 17, 18, 19])('of %i digits too', async (length) => {
    const world = createWorld();
    const body = '4'.padEnd(length - 1, '7');
    const number = body + [...Array(10).keys()].find((digit) => hasCheckDigit(body + digit));
    expect(await world.client('confirm', confirmBody(await world.intent(), number))).toMatchObject(
      refusedWith(402, 'payment_method_declined'),
    );
  });
});

/** Sends one number to every route in every way. Returns all refusals and everything that was kept. */
const sendEverywhere = async (world: SandboxWorld, number: string, cut: number): Promise<string[]> => {
  const intent = await world.intent();
  const heard: string[] = [];
  for (const { method, path } of routesOf(createApp(world.service))) {
    const keys: readonly string[] = [SANDBOX_KEYS.secret, SANDBOX_KEYS.publishable, number];
    const key = path.includes('/client/') ? SANDBOX_KEYS.publishable : SANDBOX_KEYS.secret;
    const ask = async (at: string, body: string | object | undefined, headers = {}, as: string = key) => {
      const { status, headers: answered, text } = await world.server(method, at, body, { key: as, headers });
      // Accepted text is the merchant's own, and is returned to the merchant.
      if (status >= 400) heard.push(JSON.stringify([...answered]), text);
    };
    for (const id of [intent.id, number]) {
      const at = path.replace(':id', id);
      for (const as of keys) await ask(at, undefined, {}, as).catch(() => 'a GET takes no body');
      if (method === 'GET') {
        for (const query of [`limit=${number}`, `starting_after=${number}`, `${number}=${number}`]) {
          await ask(`${at}?${query}`, undefined);
        }
        continue;
      }
      for (const body of bodiesWith(number, intent, cut)) await ask(at, body);
      await ask(at, { [number]: number }, { 'idempotency-key': number });
      await ask(at, number, { 'content-type': number });
    }
  }
  const journal = world.service.requestLog.recent(10_000).map((entry) => JSON.stringify(entry));
  return [...new Set([...heard, ...journal, ...written])];
};

describe('a card number and a security code are in no request log, no line of output and no error', () => {
  it('on any route, in any place of a request, readable or not', async () => {
    await fc.assert(
      fc.asyncProperty(realNumber, fc.nat(), async (number, cut) => {
        const world = createWorld({ clientRateLimit: 1_000_000, serverRateLimit: 1_000_000 });
        const heard = await sendEverywhere(world, number, cut);
        expect(heard.filter((text) => holds(text, number))).toEqual([]);
        expect(heard.filter((text) => holdsCode(text))).toEqual([]);
        // The run must include refusals of every kind: a test of nothing but 404 would prove nothing.
        const codes = world.service.requestLog.recent(10_000).map(({ code }) => code);
        for (const code of [
          'validation_error',
          'invalid_api_key',
          'payment_method_declined',
          'invalid_amount',
        ]) {
          expect(codes).toContain(code);
        }
        // An internal exception of the sandbox is a defect, even if it keeps the secret.
        expect(codes).not.toContain('internal_error');
      }),
      { numRuns: 4 },
    );
  }, 60_000);

  it('nor a test number, which some day will be a real one by mistake', async () => {
    const world = createWorld({ clientRateLimit: 1_000_000, serverRateLimit: 1_000_000 });
    const heard = await sendEverywhere(world, GOOD_CARD, 200);
    const documented = 'Use a documented test number such as 4242 4242 4242 4242.';
    const kept = heard.map((text) => text.replaceAll(documented, ''));
    expect(kept.filter((text) => holds(text, GOOD_CARD))).toEqual([]);
    expect(kept.filter((text) => holdsCode(text))).toEqual([]);
  });
});
