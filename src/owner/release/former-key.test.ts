/** Rotating the signing key: pages that name the old or the new key keep their script. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSigningKey, type Signer, signatureProblem, withFormer } from '../../api/served/signature.ts';
import { START, siteInMemory } from './folder.fixture.ts';
import { buildRelease, SITE_ORIGIN } from './site.fixture.ts';

const LOADER = '/partner/v1/card-form.js';

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
  for (const [index, signer] of [first, withFormer(next, first), next].entries())
    names.push(await buildRelease(join(folder, `${index}`), `1.${index}.0`, signer));
});
afterAll(() => rm(folder, { recursive: true }));

const startSite = async () => {
  const site = siteInMemory();
  const publish = (index: number) => site.run({ command: 'publish', from: join(folder, `${index}`) });
  const { get } = site.contextAt(START);
  /** Checks if pages that name the first key, and those that name the next, run the script. */
  const runs = async () => {
    const { headers, body } = await get(SITE_ORIGIN + LOADER, {});
    return [first, next].map(({ integrity }) => signatureProblem(headers, body, integrity) === null);
  };
  return { publish, runs };
};

describe('threat-model 2.4: a former key', () => {
  it('during a key change, pages that name either key run the script signed with both', async () => {
    const { publish, runs } = await startSite();
    const found: boolean[][] = [];
    for (const index of [0, 1, 2]) {
      await publish(index);
      found.push(await runs());
    }
    expect(found).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ]);
  });
});
