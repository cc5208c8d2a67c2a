/** Tests the output of the inspector's tools: commands, reports, comparisons, URLs. */
import { execFileSync } from 'node:child_process';
import { beforeEach, describe, expect, it } from 'vitest';
import { PaymentIntent } from '../../api/schemas.ts';
import {
  confirmBody,
  createWorld,
  exampleServerIntent,
  refusedWith,
  type SandboxWorld,
} from '../service/sandbox.fixture.ts';
import { takeTokenFromAddress, tokenHeader } from './control-token.ts';
import { bodyLike, curlOf, curlsFor, FIRST_ORDER } from './curl.ts';
import { differencesOf } from './differences.ts';
import { parseHash } from './parse-hash.ts';
import { releaseIn, reportOf } from './report.ts';

let world: SandboxWorld;
beforeEach(() => {
  world = createWorld();
});

describe('copy as curl', () => {
  it('a shell parses the command as intended, whatever the payment contains', () => {
    const description = `It's "quoted", $HOME and \`id\``;
    const { command } = curlsFor('http://127.0.0.1:4010', exampleServerIntent({ description }))[1] ?? {
      command: '',
    };
    const words = execFileSync('/bin/sh', ['-c', command.replace(/^curl/, `printf '%s\\n'`)], {
      env: { SECRET_KEY: 'sk', PATH: process.env.PATH ?? '' },
      encoding: 'utf8',
    });
    expect(words).toContain('Authorization: Bearer sk\n');
    expect(words).toContain(JSON.stringify(description));
  });

  it('the first command that a developer sees makes a payment that can be paid', async () => {
    const { body } = await world.create(FIRST_ORDER);
    expect(body).toMatchObject({ amount: 2400, client_secret: expect.stringMatching(/^lg_cs_/) });
    const intent = PaymentIntent.parse(body);
    const payable = { ...intent, client_secret: intent.client_secret ?? '' };
    const paid = await world.client('confirm', confirmBody(payable));
    expect(paid.body).toMatchObject({ status: 'succeeded' });
  });

  it('the body of a payment creates a similar one', async () => {
    const payment = await world.intent({ shipping_amount: 300, metadata: { cart: '7' } });
    const { body, status } = await world.create(bodyLike(payment));
    expect(status).toBe(200);
    expect(body).toMatchObject({ amount: payment.amount, shipping_amount: 300, metadata: { cart: '7' } });
  });

  it('offers a refund only of a succeeded payment, and no secret', () => {
    const texts = (status: string) =>
      curlsFor('http://a', exampleServerIntent({ status })).map(({ text }) => text);
    expect(texts('pending')).toEqual(['retrieve', 'create one like it']);
    expect(texts('succeeded')).toContain('refund');
    expect(curlOf('http://a', '/partner/v1/refunds', {})).not.toMatch(/sk_live/);
  });
});

describe('a bug report', () => {
  it('has no secret, no card number and nothing about the buyer, wherever they are', () => {
    const text = reportOf({
      payment: { id: 'lg_pi_1', amount: 1000, buyer: { name: 'Ada Byron' }, billing_details: null },
      keys: [{ publishable_key: 'pk_live_sandbox000', note: 'sk_live_sandbox000 lg_cs_abc' }],
      url: 'http://localhost:3000/hook?token=hush#token=hush',
      typed: 'My card is 4242 4242 4242 4242.',
    });
    expect(text).not.toMatch(/Byron|_live_|lg_cs_|hush|4242/);
    expect(JSON.parse(text)).toMatchObject({
      payment: { id: 'lg_pi_1', amount: 1000, buyer: '[redacted]', billing_details: null },
      url: 'http://localhost:3000/hook',
    });
  });

  it('times and amounts stay as they are', () => {
    expect(JSON.parse(reportOf({ at: 1_767_225_600_000, amount: 99_999_999 }))).toEqual({
      at: 1_767_225_600_000,
      amount: 99_999_999,
    });
  });

  it('names the release that the sandbox serves', () => {
    expect(releaseIn('<script src="/partner/v1/card-form/0.1.0-abc/assets/frame.js">')).toBe('0.1.0-abc');
    expect(releaseIn('<p>nothing</p>')).toBeNull();
  });
});

it('a comparison names the fields that differ, with nested paths, and not the ids', () => {
  const a = exampleServerIntent();
  const b = exampleServerIntent({
    id: 'lg_pi_2',
    status: 'succeeded',
    buyer: { name: 'Grace' },
    metadata: { a: '1' },
  });
  expect(differencesOf(a, b)).toEqual([
    { field: 'status', values: ['pending', 'succeeded'] },
    { field: 'buyer.name', values: ['Ada Byron', 'Grace'] },
    { field: 'metadata.a', values: ['', '1'] },
  ]);
  expect(differencesOf(a, a)).toEqual([]);
});

it.each([
  ['', { view: 'payments', paymentId: null, otherId: null }],
  ['#/faults', { view: 'faults', paymentId: null, otherId: null }],
  ['#/payments/a', { view: 'payments', paymentId: 'a', otherId: null }],
  ['#/payments/a/b', { view: 'payments', paymentId: 'a', otherId: 'b' }],
  ['#/nowhere', { view: 'payments', paymentId: null, otherId: null }],
])('the address %j opens %j', (hash, route) => {
  expect(parseHash(hash)).toEqual(route);
});

describe('contract 6.3: the control token of the page', () => {
  const browserAt = (hash: string) => {
    const kept = new Map<string, string>();
    const shown: string[] = [];
    return {
      shown,
      location: { hash, pathname: '/_sandbox/', search: '' },
      history: { replaceState: (_data: null, _unused: string, url: string) => shown.push(url) },
      storage: {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => void kept.set(key, value),
      },
    };
  };

  it('is removed from the address and sent with each request', () => {
    const browser = browserAt('#token=a-token_of.16~');
    takeTokenFromAddress(browser);
    expect(browser.shown).toEqual(['/_sandbox/']);
    expect(tokenHeader(browser)).toEqual({ authorization: 'Bearer a-token_of.16~' });
  });

  it('other addresses stay, and without a token there is no header', () => {
    const browser = browserAt('#/payments/lg_pi_1');
    takeTokenFromAddress(browser);
    expect(browser.shown).toEqual([]);
    expect(tokenHeader(browser)).toEqual({});
  });
});

it('the balance lists every account with a payment that succeeded', async () => {
  const other = await world.account();
  await world.paid();
  await world.paid({}, other);
  expect((await world.control('money')).body).toMatchObject({
    data: [{ account: 'sandbox' }, { account: other.id }],
  });
});

it('a payment names a key of its account that can pay it, until that key is revoked', async () => {
  const other = await world.account();
  const { id } = await world.intent({}, { key: other.secret });
  const details = () => world.control(`overview/payment_intents/${id}`);
  expect((await details()).body).toMatchObject({ account: other.id, publishable_key: other.publishable });
  await world.control(`accounts/${other.id}/keys/${other.pair}/revoke`, {});
  expect((await details()).body).toMatchObject({ publishable_key: null });
  expect(await world.retrieve(id, { key: other.secret })).toMatchObject(refusedWith(401, 'api_key_revoked'));
});
