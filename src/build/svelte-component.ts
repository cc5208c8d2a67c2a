/**
 * Build step that ships the Svelte component as source. The shop compiles it, so it fits the shop's version of Svelte,
 * in a browser and on a server.
 */
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes the component and the module that exports it to `out`, beside the built `binding.js` it imports. */
export const copySvelteComponent = async (root: string, out: string): Promise<void> => {
  await copyFile(join(root, 'src/merchant/CardForm.svelte'), join(out, 'CardForm.svelte'));
  await writeFile(join(out, 'svelte.js'), "export { default as CardForm } from './CardForm.svelte';\n");
};
