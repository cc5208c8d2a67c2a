/** `dist/LICENCES.md`: the licences of all that was built into the programs, as those licences ask for. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUNDLED } from './packages.ts';

/** Writes the licence of every bundled package installed below `root`. Rejects where one has none. */
export const writeLicences = async (root: string, file: string): Promise<void> => {
  const names = [...new Set(Object.values(BUNDLED).flat())].sort();
  const texts = await Promise.all(names.map((name) => licenceOf(join(root, 'node_modules', name))));
  const parts = names.map((name, index) => `## ${name}\n\n${texts[index]}\n`);
  await writeFile(file, `# Packages in the programs, and their licences\n\n${parts.join('\n')}`);
};

const licenceOf = async (folder: string): Promise<string> => {
  const name = (await readdir(folder)).find((one) => /^licen[cs]e(\.(md|txt))?$/i.test(one));
  if (name === undefined) throw new Error(`${folder} has no licence that could be passed on.`);
  return (await readFile(join(folder, name), 'utf8')).replace(/\r\n?/g, '\n').trim();
};
