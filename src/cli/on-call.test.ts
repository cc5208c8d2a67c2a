/**
 * Checks docs/on-call.md against the program: each row's commands run exactly as written, on a site as broken as the
 * row says, and must print what the row says. Rows that need a browser are compared with the probe's text.
 */
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesIn, page, tablesIn } from '../../e2e/developer/docs.ts';
import { parseFlags } from '../api/command/flags.ts';
import { parseSigningKey, type Signer, withFormer } from '../api/served/signature.ts';
import { PROBE_FLAGS } from '../owner/cli/probe-options.ts';
import { parseRelease } from '../owner/cli/release-options.ts';
import { VERIFY_FLAGS } from '../owner/cli/verify-options.ts';
import { diagnose, type Observed } from '../owner/probe/diagnose.ts';
import { formatProbe, type ProbeReport } from '../owner/probe/probe.ts';
import { placeAt, siteAt } from '../owner/release/folder.fixture.ts';
import { buildRelease } from '../owner/release/site.fixture.ts';
import { commandOf } from './commands.ts';
import { buildProgram, type Program } from './program.fixture.ts';
import { serveTarget } from './served-site.fixture.ts';

const PAGE = page('on-call');
const ROWS = (tablesIn(PAGE)[0]?.rows ?? []).map(([what = '', commands = '', prints = '']) => ({
  what: (/\*\*(.+?)\*\*/.exec(what)?.[1] ?? '').replaceAll('`', ''),
  commands: codesIn(commands).filter((code) => code.startsWith('card-form ')),
  prints: codesIn(prints),
}));

/** Variables that the page sets once, such as `$R`. */
const SET_ONCE = Object.fromEntries(
  Array.from(PAGE.text.matchAll(/`([A-Z])='([^']+)'`/g), ([, name = '', value = '']) => [`$${name}`, value]),
);

const newKey = (): Signer => {
  const { privateKey } = generateKeyPairSync('ed25519');
  return parseSigningKey(`${privateKey.export({ type: 'pkcs8', format: 'pem' })}`);
};
const [key, nextKey] = [newKey(), newKey()];

let built: Program;
let folder: string;
/** A target folder with 1.3.0 and 1.4.0; 1.4.0 is the moving one. */
let prepared: string;
const names = new Map<string, string>();
const buildOf = (name: string) => join(folder, 'builds', name);

beforeAll(async () => {
  built = await buildProgram();
  ({ folder } = built);
  const builds: readonly [string, string, Signer][] = [
    ['former', '1.3.0', key],
    ['present', '1.4.0', key],
    ['new-key', '1.5.0', nextKey],
    ['both-keys', '1.5.1', withFormer(nextKey, key)],
  ];
  for (const [name, version, signer] of builds)
    names.set(name, await buildRelease(buildOf(name), version, signer));
  prepared = mkdtempSync(join(folder, 'prepared-'));
  const site = siteAt(placeAt(prepared));
  for (const name of ['former', 'present']) await site.run({ command: 'publish', from: buildOf(name) });
}, 60_000);
afterAll(() => built.close());

/** Splits a command into words as a shell does. */
const wordsOf = (command: string): string[] =>
  Array.from(command.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, word = '']) => quoted ?? word);

/** Matches printed text: `…` stands for anything, and numbers and days may differ. */
const printed = (text: string): RegExp =>
  new RegExp(
    text
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('…', '[\\s\\S]*')
      .replace(/\d{4}-\d\d-\d\d/g, '\\d{4}-\\d\\d-\\d\\d')
      .replace(/\d+ seconds/g, '\\d+ seconds'),
  );

/** A prepared site, and the page's commands for it. */
const serve = async () => {
  const place = mkdtempSync(join(folder, 'site-'));
  const site = await serveTarget(place);
  cpSync(prepared, site.target, { recursive: true });
  /** Runs a command of the page. `dist`: the build that it publishes or repairs from. */
  const run = async (command: string, { dist = 'present', target = site.target, url = site.url } = {}) => {
    const values = {
      $R: `--target ${target} --url ${url} --server nginx --check true --reload true --no-probe`,
      $V: `--base-url ${url} --releases ${target}/releases.json --any-coding`,
      '1.4.0-…': names.get('present') ?? '',
      '--from dist': `--from ${buildOf(dist)}`,
    };
    const filled = Object.entries(values).reduce(
      (text, [name, value]) => text.replaceAll(name, value),
      command,
    );
    const { out, err } = await built.start(...wordsOf(filled).slice(1)).ended;
    return out + err;
  };
  const script = join(site.target, `partner/v1/card-form/${names.get('present')}/assets/form.js`);
  const damage = () => {
    for (const suffix of ['.br', '.gz']) rmSync(script + suffix, { force: true });
    writeFileSync(script, 'damaged');
  };
  return { ...site, place, run, damage };
};

type Site = Awaited<ReturnType<typeof serve>>;

/** The probe's message for these observations. */
const probed = (end: Observed['finding']['end'], seen: Partial<Observed> = {}): string => {
  const times = { loader: null, typeable: null, ready: null };
  const nothing = { stopped: [], policies: [], cookies: [], files: [], thrown: [], typing: null };
  const found = diagnose({
    finding: { end, hasTotal: end === 'ready', detail: '', codes: [], release: null, times },
    ...{ loader: null, frame: null, read: null, ...nothing, ...seen },
  });
  const report: ProbeReport = {
    ...{ ok: found === null, baseUrl: 'https://pay.example', browser: 'chromium 1', release: null, times },
    ...{ reason: found?.reason ?? null, message: found?.message ?? null },
    ...{ stopped: [], screenshot: 'probe/failed.png', har: null },
  };
  return `${formatProbe(report)}\n${JSON.stringify(report)}\n`;
};

/** Breaks the site as the row says, and runs the row's commands. Resolves with everything printed. */
const TRIED: Readonly<Record<string, (site: Site, commands: readonly string[]) => Promise<string>>> = {
  'Where do I stand?': ({ run }, [status = '']) => run(status),
  'A bad release is live': async ({ run, close, place }, [rollback = '']) => {
    const target = join(place, 'unreachable');
    cpSync(prepared, target, { recursive: true });
    const said = await run(rollback);
    close();
    return said + (await run(`${rollback} --force`, { target }));
  },
  'A share has it': async ({ run }, [abort = '']) => {
    await run('card-form release publish --share 50 --from dist $R', { dist: 'new-key' });
    return run(abort);
  },
  'Cards are at risk': async ({ run }, [rollback = '']) =>
    (await run(rollback)) +
    probed('timeout', { read: { url: 'https://pay.example/retrieve', status: 401, why: '' } }),
  'Block a release': async ({ run }, [withdraw = '']) => {
    await run('card-form release rollback $R');
    return run(withdraw);
  },
  'A file was changed': async ({ run, damage }, [verify = '', repair = '']) => {
    damage();
    const said = (await run(verify)) + (await run(repair));
    damage();
    return said + (await run(repair, { dist: 'former' }));
  },
  'releases.json is lost': async ({ run, target }, [repair = '']) => {
    unlinkSync(join(target, 'releases.json'));
    return run(repair);
  },
  'journal.json is damaged': async ({ run, target }, [repair = '']) => {
    const journal = join(target, '.card-form/journal.json');
    writeFileSync(journal, '{"name"');
    const said = await run('card-form release status $R');
    unlinkSync(journal);
    const repaired = await run(repair);
    expect(repaired).toContain('there is nothing to restore');
    return said;
  },
  'A signing key leaked': async ({ run }, [publish = '', verify = '']) => {
    await run(publish, { dist: 'new-key' });
    return run(verify);
  },
  'The key is due': ({ run }, [publish = '']) => run(publish, { dist: 'both-keys' }),
  'Another host': async ({ run, place, target }, [repair = '']) => {
    const copy = join(place, 'copy');
    cpSync(target, copy, { recursive: true });
    return run(repair, { target: copy });
  },
  'Another origin': async ({ run, place }, [publish = '']) => {
    const other = await serveTarget(place);
    cpSync(prepared, other.target, { recursive: true });
    const said = await run(publish, { target: other.target, url: other.url });
    other.close();
    return said;
  },
  'The certificate': async () =>
    probed('ready') +
    probed('no_loader', {
      loader: { url: 'https://pay.example/card-form.js', status: 0, why: 'net::ERR_CERT_DATE_INVALID' },
    }),
  'A CDN is stale': async ({ run, place, url, node, target }, [verify = '']) => {
    const stale = await serveTarget(place, url);
    cpSync(prepared, stale.target, { recursive: true });
    const marker = (name: string) => join(stale.target, 'moving', names.get(name) ?? '');
    renameSync(marker('present'), marker('former'));
    const said = await run(verify.replace('a,b,c', `${node},${stale.node},${node}`), { target });
    stale.close();
    return said.replaceAll(stale.node, 'b');
  },
  'The probe fails': async () => probed('loaderror', { files: ['https://pay.example/form.js answered 404'] }),
};

/** The rest of a row: options, a command, and messages for others. */
const SPOKEN = /^(--|withdrawn$)/;

describe('the page for a bad night', () => {
  it('is one screen', () => {
    expect(PAGE.text.split('\n').length).toBeLessThanOrEqual(45);
    expect(Buffer.byteLength(PAGE.text)).toBeLessThan(5_000);
  });

  it('has a valid command and its output in each row', () => {
    expect(ROWS.map(({ what }) => what)).toEqual(Object.keys(TRIED));
    const values: Readonly<Record<string, string>> = {
      ...SET_ONCE,
      'pk_live_…': `pk_live_${'x'.repeat(32)}`,
      'lg_cs_…': `lg_cs_${'x'.repeat(24)}`,
      '1.4.0-…': '1.4.0-abcdef012345',
    };
    for (const { what, commands, prints } of ROWS) {
      expect([what, commands.length > 0, prints.length > 0]).toEqual([what, true, true]);
      for (const command of commands) {
        const filled = Object.entries(values).reduce(
          (text, [name, value]) => text.replaceAll(name, value),
          command,
        );
        const chosen = commandOf(wordsOf(filled).slice(1));
        const argv = 'argv' in chosen ? chosen.argv : [];
        if (chosen.command === 'release') expect(parseRelease(argv, '/dist').target).toBe('/srv/card-form');
        else if (chosen.command === 'verify')
          expect(parseFlags(VERIFY_FLAGS, argv).baseUrl).toBe('https://pay.example');
        else if (chosen.command === 'probe')
          expect(parseFlags(PROBE_FLAGS, argv).baseUrl).toBe('https://pay.example');
        else throw new Error(`${what}: that is ${chosen.command}`);
      }
    }
  });

  it.each(ROWS.map((row) => [row.what, row] as const))(
    '%s: the commands print what the page says',
    async (what, { commands, prints }) => {
      const site = await serve();
      const said = (await TRIED[what]?.(site, commands)) ?? '';
      site.close();
      for (const text of prints.filter((one) => !SPOKEN.test(one))) expect(said).toMatch(printed(text));
    },
    60_000,
  );
});
