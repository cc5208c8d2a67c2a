/** One signing key follows the other: pages that name either keep their script until the last day, and then none does. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSigningKey, type Signer, signatureProblem, withFormer } from '../hosting/signature.ts';
import { siteInMemory } from './folder.fixture.ts';
import { readKept } from './run.ts';
import { buildRelease, SITE_ORIGIN } from './site.fixture.ts';
import { formatVerified, verifyServed } from './verify-served.ts';

const LOADER = '/partner/v1/card-form.js';
const UNTIL = '2027-01-31';
const LAST_MOMENT = Date.parse('2027-01-31T23:59:59.999Z');

const newSigner = (): Signer => {
  const { privateKey } = generateKeyPairSync('ed25519');
  return parseSigningKey(`${privateKey.export({ type: 'pkcs8', format: 'pem' })}`);
};
const first = newSigner();
const next = newSigner();

let folder: string;
const names: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'former-key-'));
  for (const [index, signer] of [first, withFormer(next, first, UNTIL), next].entries())
    names.push(await buildRelease(join(folder, `${index}`), `1.${index}.0`, signer));
});
afterAll(() => rm(folder, { recursive: true }));

const startSite = async () => {
  const site = siteInMemory();
  const publish = (index: number, now: number) =>
    site.run({ command: 'publish', from: join(folder, `${index}`) }, now);
  const { disk, get } = site.contextAt(0);
  const verify = (now: number) =>
    verifyServed({
      origin: SITE_ORIGIN,
      read: () => readKept(disk),
      ...{ signedBy: null, get, isAnyCoding: true, now: () => now },
    });
  /** Whether pages that name the first key, and those that name the next, run the script. */
  const runs = async () => {
    const { headers, body } = await get(SITE_ORIGIN + LOADER, {});
    return [first, next].map(({ integrity }) => signatureProblem(headers, body, integrity) === null);
  };
  return { ...site, publish, verify, runs };
};

describe('threat-model 2.4: a former key', () => {
  it('from the first key to the next: pages that name either run what is served with both', async () => {
    const { publish, runs } = await startSite();
    const found: boolean[][] = [];
    for (const index of [0, 1, 2]) {
      await publish(index, LAST_MOMENT);
      found.push(await runs());
    }
    expect(found).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ]);
  });

  it('is published until its last day has ended, and not after', async () => {
    const { publish, snapshot } = await startSite();
    await publish(0, LAST_MOMENT);
    const before = await snapshot();
    await expect(publish(1, LAST_MOMENT + 1)).rejects.toThrow(
      /^\S+ is signed with a former key, too, which was to be accepted until 2027-01-31\. Build without CARD_FORM_FORMER_SIGNING_KEY\. Nothing was changed\.$/,
    );
    expect(await snapshot()).toEqual(before);
    expect(await publish(1, LAST_MOMENT)).toMatchObject({ moving: names[1] });
  });

  it('that is still accepted after its last day is a difference, which a release without it ends', async () => {
    const { publish, verify, run } = await startSite();
    await publish(1, LAST_MOMENT);
    expect(await verify(LAST_MOMENT)).toMatchObject({ ok: true });
    const late = await verify(LAST_MOMENT + 1);
    expect(formatVerified(late).differences).toEqual([
      `${LOADER}: signature: the former key ${first.integrity} was to be accepted until 2027-01-31. Publish a release without it`,
    ]);
    await publish(2, LAST_MOMENT + 1);
    expect(await verify(LAST_MOMENT + 1)).toMatchObject({ ok: true });
    // A bad release is worse than an old key: a rollback goes on, and the difference is told again.
    await run({ command: 'rollback', to: null }, LAST_MOMENT + 1);
    expect(await verify(LAST_MOMENT + 1)).toMatchObject({ ok: false });
  });
});
