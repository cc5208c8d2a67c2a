/** Checks the table of exit codes in docs/hosting.md against the program. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { page, tablesIn } from '../../e2e/developer/docs.ts';
import { placeAt, siteAt } from '../owner/release/folder.fixture.ts';
import { buildProgram, type Ended, type Program } from './program.fixture.ts';
import { buildTwo, serveTarget } from './served-site.fixture.ts';

let built: Program;
let place: string;
let from: (index: number) => string[];
let releases: readonly string[] = [];
/** A target folder with the first release. */
let prepared: Awaited<ReturnType<typeof serveTarget>>;

beforeAll(async () => {
  built = await buildProgram();
  ({ place, from, releases } = await buildTwo(built.folder));
  prepared = await serveTarget(place);
  const site = siteAt(placeAt(prepared.target));
  await site.run({ command: 'publish', from: from(0)[1] ?? '' });
}, 60_000);
afterAll(() => {
  prepared.close();
  built.close();
});

const run = (...argv: string[]): Promise<Ended> => built.start(...argv).ended;
const verify = (...argv: string[]) =>
  run(
    ...['verify', '--base-url', prepared.url, '--any-coding'],
    ...['--releases', join(prepared.target, 'releases.json'), ...argv],
  );
const release = (command: string, ...argv: string[]) =>
  run(
    ...['release', command, '--target', prepared.target, '--url', prepared.url, '--no-probe'],
    ...['--server', 'nginx', '--check', 'true', '--reload', 'true', ...argv],
  );
const file = () => join(prepared.target, `partner/v1/card-form/${releases[0]}/frame.html`);

/** Runs something while a file of the release is damaged in every coding, so that it can't be restored. */
const whileDamaged = async (work: () => Promise<Ended>): Promise<Ended> => {
  const names = ['', '.br', '.gz'].map((suffix) => file() + suffix);
  const before = names.map((name) => readFileSync(name));
  for (const name of names) rmSync(name);
  writeFileSync(file(), 'damaged');
  const ended = await work();
  for (const [index, name] of names.entries()) writeFileSync(name, before[index] ?? '');
  return ended;
};

/** A run that ends this way, or the browser test that covers it. */
type Case = (() => Promise<Ended>) | { spec: string; title: string };

const probe = (title: string): Case => ({ spec: 'probe', title });
const wrong = (command: string) => () => run(...command.split(' '), '--wrong');

/** By command and code, each statement of the table with the run that shows it. */
const CASES: Readonly<Record<string, readonly Readonly<Record<string, Case>>[]>> = {
  verify: [
    { 'everything is served as it was built': () => verify() },
    { 'a difference, a line for each': () => whileDamaged(() => verify()) },
    {
      'it could not ask in the time given': () =>
        run(
          'verify',
          '--base-url',
          'http://127.0.0.1:9',
          '--releases',
          join(prepared.target, 'releases.json'),
        ),
      'a wrong option': wrong('verify'),
    },
  ],
  probe: [
    { 'a buyer could pay': probe('waits until a buyer could pay, measures it') },
    { 'no buyer could': probe('names a payment that is over') },
    {
      'no browser': probe('a wrong option, and a browser that is not there, exit with 2'),
      'no payment': () =>
        run(...['probe', '--base-url', prepared.url, '--publishable-key', `pk_live_${'x'.repeat(32)}`]),
      'a wrong option': wrong('probe'),
    },
  ],
  release: [
    { done: () => release('publish', ...from(0)), 'nothing to do': () => release('promote') },
    {
      refused: () => release('publish', '--from', place),
      'failed and undone': () => release('publish', ...from(1), '--check', 'false'),
      'something not restored': () => whileDamaged(() => release('repair', ...from(1))),
      'a wrong option': wrong('release publish'),
    },
    {},
  ],
  conformance: [
    { 'all rules kept': { spec: 'cli.test', title: 'conformance exits with 0 if all rules were checked' } },
    {
      'a rule broken': { spec: 'cli.test', title: 'conformance exits with 1 if a check fails' },
      'a wrong option': wrong('conformance'),
    },
    { 'none broken, some not checked': { spec: 'cli.test', title: 'and with 2 if one was skipped' } },
  ],
};

const SPECS: Readonly<Record<string, string>> = {
  probe: '../../e2e/hosting/probe.spec.ts',
  'cli.test': './cli.test.ts',
};

const table = tablesIn(page('hosting')).find(({ heading }) => heading === 'Exit codes');
const ALL = (table?.rows ?? []).flatMap(([command = '', ...cells]) => {
  const name = command.replaceAll('`', '').replace('card-form ', '');
  return cells.map((cell, code) => ({ name, code, cell, cases: CASES[name]?.[code] ?? {} }));
});

describe('the exit codes in docs/hosting.md', () => {
  it('each occur in a run', () => {
    expect(ALL.map(({ name }) => name)).toEqual(Object.keys(CASES).flatMap((name) => [name, name, name]));
    for (const { name, code, cell, cases } of ALL) {
      const left = Object.keys(cases).reduce((text, one) => text.replace(one, ''), cell);
      expect([name, code, left.replace('no probe could be made:', '').replace(/[,\s]|\bor\b/g, '')]).toEqual([
        ...[name, code, name === 'release' && code === 2 ? 'never' : ''],
      ]);
    }
  });

  it.each(
    ALL.flatMap(({ name, code, cases }) =>
      Object.entries(cases).map(([what, one]) => [name, code, what, one] as const),
    ),
  )(
    '%s: %i: %s',
    async (_, code, __, one) => {
      if (typeof one !== 'function') {
        const text = readFileSync(new URL(SPECS[one.spec] ?? '', import.meta.url), 'utf8');
        expect(text).toContain(one.title);
        return;
      }
      const ended = await one();
      expect(ended).toMatchObject({ code });
      expect(ended.err, 'in words, without a stack').not.toMatch(/\n +at /);
    },
    60_000,
  );
});
