// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';

const INTENT = {
  id: 'lg_pi_1',
  object: 'payment_intent',
  status: 'pending',
  currency: 'usd',
  amount: 5804,
  fee_buyer: 0,
  amount_total: 5804,
};
const STATIC =
  '<section class="summary" data-state="loading"><p class="total"><bdi data-amount=""></bdi></p></section>';

const load = async () => {
  vi.resetModules(); // a document shows one total
  document.body.innerHTML = STATIC;
  document.documentElement.lang = 'de-AT';
  return import('./amount.ts');
};

describe('the early total', () => {
  beforeEach(() => vi.restoreAllMocks());

  it('is shown from the answer, of which the client still has all', async () => {
    const { showTotal, takeOverTotal } = await load();
    const answer = Promise.resolve(Response.json(INTENT));
    await showTotal(answer);
    expect(document.body.textContent).toBe('$\u00a058,04');
    expect(takeOverTotal()).toEqual({ amount: 5804, currency: 'usd' });
    expect(await (await answer).json()).toEqual(INTENT);
  });

  it.each([
    ['404', Response.json(INTENT, { status: 404 })],
    ['409', Response.json(INTENT, { status: 409 })],
    ['429', Response.json(INTENT, { status: 429 })],
    ['500', Response.json(INTENT, { status: 500 })],
    ['201', Response.json(INTENT, { status: 201 })],
    ['another type', new Response(JSON.stringify(INTENT), { headers: { 'Content-Type': 'text/html' } })],
    ['no JSON', new Response('{', { headers: { 'Content-Type': 'application/json' } })],
    ['a payment that was paid', Response.json({ ...INTENT, status: 'succeeded' })],
    ['a payment under way', Response.json({ ...INTENT, status: 'processing' })],
    ['an attempt under way', Response.json({ ...INTENT, attempt_in_progress: true })],
    ['a payment without attempts', Response.json({ ...INTENT, attempts_left: 0 })],
    ['a total beyond the limit', Response.json({ ...INTENT, amount_total: 100_000_000 })],
  ])('is not shown for %s', async (_, response) => {
    const { showTotal, takeOverTotal } = await load();
    await Promise.race([showTotal(Promise.resolve(response)), response.clone().text()]);
    expect([document.body.innerHTML, takeOverTotal()]).toEqual([STATIC, null]);
  });

  it('is not shown once the form is being hydrated', async () => {
    const { showTotal, takeOverTotal } = await load();
    expect(takeOverTotal()).toBeNull();
    await showTotal(Promise.resolve(Response.json(INTENT)));
    expect(document.body.innerHTML).toBe(STATIC);
  });

  it('leaves an answer alone that the client is reading', async () => {
    const { showTotal } = await load();
    const response = Response.json(INTENT);
    await response.text();
    await showTotal(Promise.resolve(response));
    expect(document.body.innerHTML).toBe(STATIC);
  });
});
