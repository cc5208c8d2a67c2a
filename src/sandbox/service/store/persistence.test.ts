import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { confirmBody, createWorld, ORDER, type SandboxWorld } from '../sandbox.fixture.ts';
import { createSandbox } from '../sandbox.ts';
import { openPersistence } from './persistence.ts';
import { openStateFile } from './state-file.ts';
import { createStore } from './store.ts';
import { Table } from './table.ts';

let folder: string;
let state: string;
const worlds: SandboxWorld[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'));
  state = join(folder, 'state.json');
});

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.sandbox.close();
  rmSync(folder, { recursive: true });
});

const open = (options: Parameters<typeof createWorld>[0] = {}): SandboxWorld => {
  const world = createWorld({ state, ...options });
  worlds.push(world);
  return world;
};

/** Reopens the state that a killed process leaves behind: the file, and a lock of a process that does not exist. */
const reopenAsIfKilled = (options: Parameters<typeof createWorld>[0] = {}): SandboxWorld => {
  const copy = join(folder, `copy-${worlds.length}.json`);
  writeFileSync(copy, readFileSync(state));
  return open({ ...options, state: copy });
};

describe('contract 6.6: --state keeps everything', () => {
  it('everything in the store is of a type that can be saved', () => {
    for (const value of Object.values<unknown>(createStore())) {
      if (value instanceof Table) continue;
      expect(JSON.parse(JSON.stringify(value))).toEqual(value);
    }
  });

  it('saves what happens without a request', async () => {
    const world = open();
    await world.client('confirm', confirmBody(await world.intent(), '4000000000010001'));
    await world.clock.advance(3000);
    await expect.poll(() => readFileSync(state, 'utf8')).toContain('"status":"succeeded"');
  });

  it('finishes a loaded refund, and does not create a rotated seeded key again', async () => {
    const before = open({ seed: 3 });
    const { id } = await before.paid();
    const refund = await before.server('POST', '/partner/v1/refunds', { payment_intent: id });
    await before.control('webhook_signing_keys/rotate', {});
    const after = reopenAsIfKilled({ seed: 3 });
    await after.control('webhook_signing_keys/rotate', {});
    expect(new Set(after.service.store.signingKeys.map(({ kid }) => kid)).size).toBe(2);
    expect(after.service.store.signingKeysMade).toBe(3);
    await after.clock.advance(3000);
    const made = z.object({ id: z.string() }).parse(refund.body);
    expect(after.service.store.refunds.get(made.id)).toMatchObject({ status: 'succeeded' });
    expect(after.service.store.refundsInFlight.size).toBe(0);
  });

  it('restores payments in every status, charges, idempotency keys, the account and the keys', async () => {
    const before = open();
    const paid = await before.intent();
    await before.client('confirm', confirmBody(paid));
    const failed = await before.intent({ metadata: { $set: 'a' } });
    await before.client('confirm', confirmBody(failed, '4000000000009995'));
    const once = await before.intent();
    await before.client('confirm', confirmBody(once, '4000000000010076'));
    const canceled = await before.intent();
    await before.control(`payment_intents/${canceled.id}/cancel`, {});
    await before.create(ORDER, { headers: { 'idempotency-key': '__proto__' } });
    const replay = await before.create(ORDER, { headers: { 'idempotency-key': 'order-1' } });
    await before.control('account', { suspended: false, fee_bearer: 'buyer', fee_schedule: null });
    await before.control('keys/revoke', { key: before.sandbox.keys.publishable });

    const after = reopenAsIfKilled();
    const list = await before.list('?limit=100');
    expect((await after.list('?limit=100')).text).toBe(list.text);
    expect(after.service.store.charges).toEqual(before.service.store.charges);
    expect(after.service.store.accounts).toEqual(before.service.store.accounts);
    expect(after.service.store.intents).toEqual(before.service.store.intents);
    expect(await after.create(ORDER, { headers: { 'idempotency-key': 'order-1' } })).toMatchObject({
      status: 200,
      text: replay.text,
    });
    expect(await after.client('retrieve', { client_secret: paid.client_secret })).toMatchObject({
      body: { error: { code: 'api_key_revoked' } },
    });
  });

  it('finishes a loaded payment that was processing, and keeps the clock offset', async () => {
    const before = open();
    const intent = await before.intent();
    await before.client('confirm', confirmBody(intent, '4000000000010001'));
    await before.control('clock', { advance_seconds: 86_400 });
    const waits = await before.intent();
    await before.client('confirm', confirmBody(waits, '4000000000010001'));

    const after = reopenAsIfKilled();
    expect(after.service.clock.now()).toBe(before.service.clock.now());
    expect((await after.retrieve(waits.id)).body).toMatchObject({ status: 'processing' });
    expect((await after.retrieve(intent.id)).body).toMatchObject({ status: 'succeeded' });
    await after.control('clock', { advance_seconds: 3 });
    expect((await after.retrieve(waits.id)).body).toMatchObject({ status: 'succeeded' });
    const again = createWorld({ state: join(folder, 'copy-1.json').replace('copy-1', 'none') });
    expect(again.service.store.intents.size).toBe(0);
    worlds.push(again);
  });

  it('saves a charge before a fault cuts, delays or corrupts its response', async () => {
    const before = open();
    const intent = await before.intent();
    const never = before.send(
      'POST',
      '/partner/v1/client/payment_intents/confirm',
      confirmBody(intent, '4000000000010050'),
      {
        key: before.sandbox.keys.publishable,
      },
    );
    await expect.poll(() => readFileSync(state, 'utf8')).toContain('"charges"');
    // The file is readable before the service knows that the write is done; only then does the service start to wait.
    let status = 0;
    void never.then((response) => {
      status = response.status;
    });
    await expect.poll(() => before.clock.advance(30_000).then(() => status), { timeout: 30_000 }).toBe(200);
  });

  it('the same seed never reuses the id of a saved payment', async () => {
    const before = open({ seed: 5 });
    const old = [await before.intent(), await before.intent()].map(({ id }) => id);
    const unbroken = createWorld({ seed: 5 });
    for (const _ of old) await unbroken.intent();
    const after = reopenAsIfKilled({ seed: 5 });
    const next = await after.intent();
    expect(old).not.toContain(next.id);
    expect(next.id).toBe((await unbroken.intent()).id);
  });

  it('--fee-bearer applies to new payments; without it the saved value stays', async () => {
    const before = open({ feeBearer: 'buyer' });
    await before.intent();
    expect(await reopenAsIfKilled().intent()).toMatchObject({ fee_bearer: 'buyer' });
    expect(await reopenAsIfKilled({ feeBearer: 'merchant' }).intent()).toMatchObject({
      fee_bearer: 'merchant',
    });
  });

  it('a request that changed nothing waits for changes of other requests that are not yet on the disk', async () => {
    const store = createStore();
    const kept = openPersistence(state, store);
    const extras = () => ({ clockOffset: 0, chanceUsed: 0 });
    store.refundsInFlight.set('lg_re_1', true);
    void kept.save(extras);
    await kept.save(extras);
    expect(readFileSync(state, 'utf8')).toContain('lg_re_1');
    await kept.close(extras);
  });

  it('a failed write gives the request an error, and the next request saves both', async () => {
    const world = open();
    const { runAndSave } = world.service;
    let refusals = 1;
    world.service.runAndSave = async (work) => {
      const result = await runAndSave(work);
      if (refusals-- > 0) throw new Error('ENOSPC');
      return result;
    };
    expect(await world.create()).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } });
    const { id } = await world.intent();
    const after = reopenAsIfKilled();
    expect((await after.retrieve(id)).status).toBe(200);
    expect(after.service.store.intents.size).toBe(2);
  });

  it('retries a failed write with the next change, and rejects for the callers that waited', async () => {
    const store = createStore();
    let refusals = 1;
    const kept = openPersistence(state, store, (path) => {
      const file = openStateFile(path);
      const append: typeof file.append = (text) =>
        refusals-- > 0 ? Promise.reject(new Error('ENOSPC')) : file.append(text);
      return { ...file, append };
    });
    const extras = () => ({ clockOffset: 0, chanceUsed: 0 });
    store.refundsInFlight.set('lg_re_1', true);
    await expect(kept.save(extras)).rejects.toThrow('ENOSPC');
    await kept.save(extras);
    expect(readFileSync(state, 'utf8')).toContain('lg_re_1');
    await kept.close(extras);
  });

  it('ignores a truncated last line, and the lines written after it are complete', async () => {
    const before = open();
    const kept = await before.intent();
    const text = readFileSync(state, 'utf8');
    for (const cut of [1, 20, text.length - text.lastIndexOf('\n', text.length - 2) - 2]) {
      const copy = join(folder, `cut-${cut}.json`);
      writeFileSync(copy, text + text.slice(text.lastIndexOf('\n', text.length - 2) + 1).slice(0, -cut - 1));
      const after = open({ state: copy });
      expect((await after.retrieve(kept.id)).status).toBe(200);
      const next = await after.intent();
      await after.sandbox.close();
      expect((await open({ state: copy }).retrieve(next.id)).status).toBe(200);
    }
  });

  it('only its owner can read the file, even if others could before', async () => {
    writeFileSync(state, '', { mode: 0o644 });
    chmodSync(state, 0o644);
    await open().intent();
    expect(statSync(state).mode & 0o777).toBe(0o600);
  });

  it('opening a file of which most is in force writes nothing, and goes on where it ends', async () => {
    const before = open();
    const kept = await before.intent();
    await before.sandbox.close();
    const [text, { ino }] = [readFileSync(state, 'utf8'), statSync(state)];
    chmodSync(state, 0o644);
    const after = open();
    await after.retrieve(kept.id);
    await after.service.saved();
    expect(readFileSync(state, 'utf8')).toBe(text);
    const next = await after.intent();
    expect(readFileSync(state, 'utf8').slice(0, text.length)).toBe(text);
    expect(statSync(state)).toMatchObject({ ino, mode: 0o100600 });
    await after.sandbox.close();
    expect((await open().retrieve(next.id)).status).toBe(200);
  });

  it('opening a mostly outdated file rewrites it', async () => {
    const row = { kind: 'secret', account: 'a', pair: 'x'.repeat(1_000_000), revoked: false };
    const line = `${JSON.stringify({ put: [['keys', 'sk', row]] })}\n`;
    writeFileSync(state, `{"format":"card-form sandbox state","version":1}\n${line.repeat(5)}`);
    const store = createStore();
    await openPersistence(state, store).close(() => ({ clockOffset: 0, chanceUsed: 0 }));
    expect(store.keys.get('sk')).toEqual(row);
    expect(statSync(state).size).toBeLessThan(1_100_000);
  });

  it('a symbolic link to the file stays a link', async () => {
    const link = join(folder, 'link.json');
    writeFileSync(state, '');
    symlinkSync(state, link);
    await open({ state: link }).intent();
    expect(readFileSync(state, 'utf8')).toContain('lg_pi_');
  });

  it('rewrites the file when most of it is outdated, without losing or repeating a row', async () => {
    const before = open();
    const intent = await before.intent();
    await before.client('confirm', confirmBody(intent));
    const { id } = await before.intent();
    const items = Array.from({ length: 100 }, () => ({
      name: 'x'.repeat(500),
      quantity: 1,
      unit_amount: 10,
    }));
    const sizes: number[] = [];
    for (let update = 0; update < 200; update += 1) {
      if (update % 4 === 0) await before.intent({ items });
      else await before.update(id, { items, order_reference: `A-${update}` });
      sizes.push(statSync(state).size);
    }
    expect(sizes.some((size, index) => size < (sizes[index - 1] ?? 0))).toBe(true);
    const after = reopenAsIfKilled();
    expect(after.service.store.intents).toEqual(before.service.store.intents);
    expect(after.service.store.charges).toEqual(before.service.store.charges);
  });

  it('a rewritten file includes the latest changes, which are not appended again', async () => {
    const store = createStore();
    const kept = openPersistence(state, store);
    const extras = () => ({ clockOffset: 0, chanceUsed: 0 });
    const charge = { intent: 'a', currency: 'usd', at: 1 };
    // More than the size of the file when it was last rewritten, and more than the minimum size for a rewrite.
    store.refundsInFlight.set('x'.repeat(5_000_000), true);
    await kept.save(extras);
    store.charges.push({ ...charge, amount: 1 });
    const first = kept.save(extras);
    store.charges.push({ ...charge, amount: 2 });
    await first;
    store.charges.push({ ...charge, amount: 3 });
    await kept.close(extras);
    const again = createStore();
    await openPersistence(state, again).close(extras);
    expect(again.charges.map(({ amount }) => amount)).toEqual([1, 2, 3]);
  });
});

describe('contract 6.6: refuses a file that is not a state file and leaves it unchanged', () => {
  const HEADER = '{"format":"card-form sandbox state","version":1}\n';

  it.each([
    ['a document of somebody', '{"name":"shop"}\n', 'it is not a state file of this sandbox'],
    ['a text without an end', 'Dear Ada', 'it is not a state file of this sandbox'],
    [
      'a later version',
      '{"format":"card-form sandbox state","version":2}\n',
      'it has version 2, and this sandbox reads version 1',
    ],
    ['a broken line', `${HEADER}{"put":[[}\n`, 'its line 2 cannot be read'],
    ['an unknown table', `${HEADER}{"put":[["cards","a",{}]]}\n`, 'its line 2 cannot be read'],
    ['an unknown log', `${HEADER}{"add":[["intents",{}]]}\n`, 'its line 2 cannot be read'],
    ['a row without a key', `${HEADER}{"put":[["intents"]]}\n`, 'its line 2 cannot be read'],
    ['something else than rows', `${HEADER}{"put":{"intents":1}}\n`, 'its line 2 cannot be read'],
    ['a value that is none', `${HEADER}{"is":[["intents",1]]}\n`, 'its line 2 cannot be read'],
    ['a wrong removal', `${HEADER}{"drop":[["charges","a"]]}\n`, 'its line 2 cannot be read'],
    ['a wrong clock', `${HEADER}{}\n{"aside":{"clockOffset":"1"}}\n`, 'its line 3 cannot be read'],
  ])('%s', (_, text, why) => {
    writeFileSync(state, text, { mode: 0o640 });
    expect(() => createSandbox({ state })).toThrow(
      `The state file ${state} cannot be used: ${why}. It was left as it is; name another file, or move this one away.`,
    );
    expect(readFileSync(state, 'utf8')).toBe(text);
    // The lock was released.
    expect(() => createSandbox({ state })).toThrow(why);
  });

  it('a folder, a file below a file, a file in a folder that does not exist', () => {
    writeFileSync(state, '');
    for (const path of [folder, join(state, 'a.json'), join(folder, 'no/a.json')])
      expect(() => createSandbox({ state: path })).toThrow(
        /^The state file .* cannot be read \(E\w+\)\. Name a file/,
      );
  });

  it('a file in use by another sandbox, in this process or another', async () => {
    const world = open();
    expect(() => createSandbox({ state })).toThrow(
      /is in use by another sandbox \(process \d+\)\. Stop that sandbox/,
    );
    await world.sandbox.close();
    // The parent process is running and is not this one.
    writeFileSync(`${state}.lock`, `${process.ppid}\n`);
    expect(() => createSandbox({ state })).toThrow(`(process ${process.ppid})`);
    writeFileSync(`${state}.lock`, '99999999\n');
    await createSandbox({ state }).close();
    expect(() => statSync(`${state}.lock`)).toThrow('ENOENT');
  });
});

describe('contract 6.4: instances of createSandbox()', () => {
  it('are isolated: payments, keys, clocks, accounts, faults, limits', async () => {
    const [one, other] = [createWorld({ clientRateLimit: 1 }), createWorld({ clientRateLimit: 1 })];
    const intent = await one.intent();
    await one.control('clock', { advance_seconds: 5 });
    await one.control('account', { suspended: true });
    await one.control('faults', { route: 'client.retrieve', status: 500 });
    await one.client('retrieve', { client_secret: intent.client_secret });
    expect((await other.retrieve(intent.id)).status).toBe(404);
    expect(other.service.clock.now()).toBe(one.service.clock.now() - 5000);
    const own = await other.intent();
    expect((await other.client('retrieve', { client_secret: own.client_secret })).status).toBe(200);
    await one.control('keys/revoke', { key: one.sandbox.keys.secret });
    expect((await other.retrieve(own.id)).status).toBe(200);
    await one.sandbox.close();
    expect((await other.retrieve(own.id)).status).toBe(200);
  });
});
