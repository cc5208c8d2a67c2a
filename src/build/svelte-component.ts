/**
 * A build step: the component for Svelte, as its source. A shop compiles it, so that it fits the shop's version of
 * Svelte, in a browser and on a server.
 */
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes the component and the module that exports it to `out`, beside the built `binding.js` that it imports. */
export const copySvelteComponent = async (root: string, out: string): Promise<void> => {
  await copyFile(join(root, 'src/package/CardForm.svelte'), join(out, 'CardForm.svelte'));
  await writeFile(
    join(out, 'svelte.js'),
    "export { default as CardForm } from '../package/CardForm.svelte';\n",
  );
};
