/** The whole benchmark: the order of the runs, their number, and the figures that are kept. */
import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { readManifest } from '../hosting/hosting.ts';
import { withCanary } from './canary.ts';
import { type Contestant, cardForm, floor, loaderFloor, openShop } from './contestants.ts';
import { chooseCountries } from './countries.ts';
import { countCycles, cyclists, type Kept } from './cycles.ts';
import { peer } from './peer.ts';
import { type BenchServer, startServer } from './server.ts';
import { quantile, randomOf, shuffled, summarise } from './statistics.ts';
import {
  CONDITIONS,
  type Condition,
  type Measured,
  type Request,
  type Visit,
  type VisitOptions,
  visit,
} from './visit.ts';

export const PARTS = ['load', 'growth', 'countries', 'languages', 'cycles', 'canary'] as const;
export type Part = (typeof PARTS)[number];

export type Options = {
  runs: number;
  cycles: number;
  seed: number;
  only: readonly Part[];
  /** Once aborted, the current round is the last, and the figures so far are reported. */
  signal: AbortSignal;
};

/** The figures of one contestant under one condition; each list has one number per run. */
export type Row = {
  contestant: string;
  condition: Condition['name'];
  measured: { [name in keyof Measured]: number[] };
  /** From key down to paint, in ms, for the keys of all runs. */
  keys: number[];
  /** The requests of the run whose time to typeable is nearest to the median. */
  waterfall: readonly Request[];
};

export type Growth = { what: string; condition: Condition['name']; typeable: number[]; payable: number[] };

export type Result = {
  seed: number;
  /** The number of runs asked for, and of those made for the compared contestants. */
  runs: number;
  made: number;
  release: string;
  node: string;
  /** The machine's load average over one minute, before and after. */
  load: readonly [before: number, after: number];
  contestants: readonly { name: string; what: string }[];
  rows: readonly Row[];
  growth: readonly Growth[];
  /** From the choice to the fields, in ms. */
  countries: readonly { condition: Condition['name']; times: Record<string, number> }[];
  cycles: { times: number; kept: Record<string, Kept> } | null;
};

type Say = (line: string) => void;

/** A failed visit is reported and repeated once; a second failure ends the benchmark. */
const visitAgain = async (say: Say, ...asked: Parameters<typeof visit>): Promise<Visit> => {
  try {
    return await visit(...asked);
  } catch (error) {
    say(`once more, since ${error instanceof Error ? error.message : error}`);
    return visit(...asked);
  }
};

const measureAll = async (
  server: BenchServer,
  contestants: readonly Contestant[],
  { runs, signal, say }: { runs: number; signal: AbortSignal; say: Say },
  random: () => number,
  options?: VisitOptions,
  conditions: readonly Condition[] = CONDITIONS,
): Promise<Row[]> => {
  const all = contestants.flatMap((contestant) => conditions.map((condition) => ({ contestant, condition })));
  const visits = new Map(all.map((one) => [one, [] as Visit[]]));
  for (let round = 1; round <= runs && !(signal.aborted && round > 1); round += 1) {
    for (const one of shuffled(all, random)) {
      visits.get(one)?.push(await visitAgain(say, server, one.contestant, one.condition, options));
    }
    say(`round ${round} of ${runs}: ${contestants.length} contestants, load ${loadavg()[0]?.toFixed(1)}`);
  }
  return all.map((one) => rowOf(one.contestant.name, one.condition.name, visits.get(one) ?? []));
};

const rowOf = (contestant: string, condition: Condition['name'], visits: readonly Visit[]): Row => {
  const of = (name: keyof Measured) => visits.map(({ measured }) => measured[name]);
  const middle = quantile(of('typeable'), 0.5);
  const off = ({ measured }: Visit) => Math.abs(measured.typeable - middle);
  const [typical] = [...visits].sort((a, b) => off(a) - off(b));
  return {
    contestant,
    condition,
    measured: {
      inserted: of('inserted'),
      typeable: of('typeable'),
      amount: of('amount'),
      payable: of('payable'),
      requestsToTypeable: of('requestsToTypeable'),
      requestsToPayable: of('requestsToPayable'),
      requests: of('requests'),
      connections: of('connections'),
      bytesToPayable: of('bytesToPayable'),
      bytes: of('bytes'),
      wireBytes: of('wireBytes'),
      tasks: of('tasks'),
      script: of('script'),
      scriptToPayable: of('scriptToPayable'),
      longest: of('longest'),
      longestLater: of('longestLater'),
      pageShift: of('pageShift'),
      frameShift: of('frameShift'),
      pageHeap: of('pageHeap'),
      frameHeap: of('frameHeap'),
      keyP50: of('keyP50'),
      keyP95: of('keyP95'),
      told: of('told'),
      frameScriptPerKey: of('frameScriptPerKey'),
      pageScriptPerKey: of('pageScriptPerKey'),
    },
    keys: visits.flatMap(({ keys }) => keys),
    waterfall: typical?.waterfall ?? [],
  };
};

const growthOf = (rows: readonly Row[]): Growth[] =>
  rows.map(({ contestant, condition, measured: { typeable, payable } }) => ({
    what: contestant,
    condition,
    typeable,
    payable,
  }));

/** Each language except English is a file of its own. */
const languagesIn = ({ files }: { files: Record<string, string> }): string[] => [
  'en',
  ...Object.keys(files).flatMap((file) => /assets\/([a-z]{2})\.js$/.exec(file)?.[1] ?? []),
];

/** Needs the built files in dist/. `keep` gets the result so far after each part. */
export const bench = async (
  options: Options,
  say: Say,
  keep: (soFar: Result) => Promise<void>,
): Promise<Result> => {
  const { runs, cycles, seed, only, signal } = options;
  const [before = Number.NaN] = loadavg();
  const random = randomOf(seed);
  const server = await startServer();
  openShop(server);
  const does = (part: Part) => only.includes(part) && !signal.aborted;
  const few = Math.min(runs, 3);
  try {
    const contestants = [
      floor(server),
      loaderFloor(server),
      await cardForm(server, 'loader'),
      await cardForm(server, 'early', { early: true }),
      await peer(server),
    ];
    const rows: Row[] = [];
    const growth: Growth[] = [];
    const countries: { condition: Condition['name']; times: Record<string, number> }[] = [];
    const kept: Record<string, Kept> = {};
    const soFar = async (): Promise<Result> => {
      const [after = Number.NaN] = loadavg();
      const manifest = JSON.parse(
        await readFile(new URL('../../dist/headers.json', import.meta.url), 'utf8'),
      );
      return {
        seed,
        runs,
        made: rows[0]?.measured.typeable.length ?? 0,
        release: manifest.release,
        node: process.version,
        load: [before, after],
        contestants: contestants.map(({ name, what }) => ({ name, what })),
        rows,
        growth,
        countries,
        cycles: Object.keys(kept).length > 0 ? { times: cycles, kept } : null,
      };
    };

    if (does('load')) {
      rows.push(...(await measureAll(server, contestants, { runs, signal, say }, random)));
      await keep(await soFar());
    }
    if (does('growth')) {
      const grown = [
        await cardForm(server, '1 form'),
        await cardForm(server, '5 forms', { forms: 5 }),
        await cardForm(server, '20 forms', { forms: 20 }),
        await cardForm(server, '100 items', { items: 100 }),
      ];
      const unseen = { typing: false, inSight: false };
      growth.push(...growthOf(await measureAll(server, grown, { runs: few, signal, say }, random, unseen)));
      await keep(await soFar());
    }
    if (does('languages')) {
      // A browser that has to load a font for a script is later on any page.
      const spoken = [floor(server), floor(server, 'ja')];
      for (const locale of languagesIn(await readManifest()))
        spoken.push(await cardForm(server, `language ${locale}`, { locale: 'auto', language: locale }));
      const untyped = { typing: false };
      growth.push(
        ...growthOf(
          await measureAll(server, spoken, { runs: few, signal, say }, random, untyped, CONDITIONS.slice(1)),
        ),
      );
    }

    if (does('countries')) {
      for (const condition of CONDITIONS) {
        // On the slow link, each takes almost a second.
        const pick = (all: readonly string[]) =>
          shuffled(all, random).slice(0, condition.shape ? 40 : all.length);
        const form = await cardForm(server, 'countries');
        const times = await chooseCountries(server, form, condition, pick);
        countries.push({ condition: condition.name, times: Object.fromEntries(times) });
        say(`${times.size} countries, ${condition.name}`);
        await keep(await soFar());
      }
    }

    if (does('canary')) {
      await withCanary(async (both, pages) => {
        const untyped = { typing: false };
        const measured = await measureAll(
          both,
          pages,
          { runs, signal, say },
          random,
          untyped,
          CONDITIONS.slice(1),
        );
        growth.push(...growthOf(measured));
      });
      await keep(await soFar());
    }

    if (does('cycles')) {
      for (const cyclist of Object.values(await cyclists(server))) {
        kept[cyclist.name] = await countCycles(server, cyclist, cycles);
        say(`${cycles} cycles: ${cyclist.name}`);
        await keep(await soFar());
      }
    }

    return await soFar();
  } finally {
    await server.stop();
  }
};

/** The spread of a list that may contain no finite number. */
export const spread = (values: readonly number[]) =>
  values.some(Number.isFinite) ? summarise(values) : null;
