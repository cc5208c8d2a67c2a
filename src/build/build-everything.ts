/** `npm run build`: makes all outputs in a temporary folder, which replaces `dist/` when it is complete. */
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ViteBuilder } from 'vite';
import { LLMS_TXT } from '../api/served/llms-address.ts';
import { parseSigningKey, type Signer, withFormer } from '../api/served/signature.ts';
import { isRunning } from '../owner/release/is-running.ts';
import { buildFolder, removeAbandonedBuilds, replaceFolder } from './build-folder.ts';
import { type Build, OUTPUTS } from './outputs.ts';
import { BASE } from './release.ts';

/** This process's build of this version of the project, at `root`. */
export const buildAt = (root: string, version: string): Build => {
  const folder = buildFolder(root, process.pid);
  return { root, folder, staging: join(folder, BASE), version, signer: null };
};

/** The loader's signer, if there is a key. Removes the keys from the environment, so that no plugin can read them. */
const signerOf = (environment: NodeJS.ProcessEnv): Signer | null => {
  const { CARD_FORM_SIGNING_KEY: key, CARD_FORM_FORMER_SIGNING_KEY: former } = environment;
  delete environment.CARD_FORM_SIGNING_KEY;
  delete environment.CARD_FORM_FORMER_SIGNING_KEY;
  if (key === undefined) return null;
  const signer = parseSigningKey(key);
  if (former === undefined) return signer;
  return withFormer(signer, parseSigningKey(former, 'CARD_FORM_FORMER_SIGNING_KEY'));
};

/** Makes every output, and replaces `dist/` with them. If one fails, rejects and leaves `dist/` unchanged. */
export const buildEverything = async (builder: ViteBuilder, unsigned: Build): Promise<void> => {
  const build = { ...unsigned, signer: signerOf(process.env) };
  const { root, folder } = build;
  const dist = join(root, 'dist');
  await removeAbandonedBuilds(root, (pid) => pid !== process.pid && isRunning(pid));
  try {
    for (const { name, write } of OUTPUTS) {
      const environment = builder.environments[name];
      if (environment) await builder.build(environment);
      await write?.(build);
    }
    await replaceFolder(folder, dist);
    await copyFile(join(dist, LLMS_TXT), join(root, LLMS_TXT));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
