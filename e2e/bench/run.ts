/** The whole benchmark: the order and number of the runs, and the figures to keep. */
import { loadavg } from 'node:os';
import { readManifest } from '../hosting/hosting.ts';
import { type Contestant, cardForm, floor, loaderFloor, openShop } from './contestants.ts';
import { peer } from './peer.ts';
import { type BenchServer, startServer } from './server.ts';
import { randomOf, shuffled, summarise } from './statistics.ts';
import { CONDITIONS, type Condition, type Measured, type Visit, visit } from './visit.ts';

export type Options = {
  runs: number;
  seed: number;
  /** Once aborted, the current round is the last, and the report has the figures so far. */
  signal: AbortSignal;
};

/** The figures of one contestant under one condition; each list has one number per run. */
export type Row = {
  contestant: string;
  condition: Condition['name'];
  measured: { [name in keyof Measured]: number[] };
  /** From key down to paint, in ms, for the keys of all runs. */
  keys: number[];
};

export type Result = {
  seed: number;
  /** The requested number of runs, and the number made for the compared contestants. */
  runs: number;
  made: number;
  release: string;
  node: string;
  /** The machine's load average over one minute, before and after. */
  load: readonly [before: number, after: number];
  contestants: readonly { name: string; what: string }[];
  rows: readonly Row[];
};

type Say = (line: string) => void;

/** Reports a failed visit and repeats it once; a second failure ends the benchmark. */
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
  { runs, seed, signal }: Options,
  say: Say,
): Promise<Row[]> => {
  const random = randomOf(seed);
  const all = contestants.flatMap((contestant) => CONDITIONS.map((condition) => ({ contestant, condition })));
  const visits = new Map(all.map((one) => [one, [] as Visit[]]));
  for (let round = 1; round <= runs && !(signal.aborted && round > 1); round += 1) {
    for (const one of shuffled(all, random)) {
      visits.get(one)?.push(await visitAgain(say, server, one.contestant, one.condition));
    }
    say(`round ${round} of ${runs}: ${contestants.length} contestants, load ${loadavg()[0]?.toFixed(1)}`);
  }
  return all.map((one) => rowOf(one.contestant.name, one.condition.name, visits.get(one) ?? []));
};

const rowOf = (contestant: string, condition: Condition['name'], visits: readonly Visit[]): Row => {
  const of = (name: keyof Measured) => visits.map(({ measured }) => measured[name]);
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
  };
};

/** Needs the built files in dist/. */
export const bench = async (options: Options, say: Say): Promise<Result> => {
  const [before = Number.NaN] = loadavg();
  const { release } = await readManifest();
  const server = await startServer();
  openShop(server);
  try {
    const contestants = [
      floor(server),
      loaderFloor(server),
      await cardForm(server, 'loader'),
      await cardForm(server, 'early', { early: true }),
      await peer(server),
    ];
    const rows = await measureAll(server, contestants, options, say);
    const [after = Number.NaN] = loadavg();
    return {
      ...{ seed: options.seed, runs: options.runs, release, rows },
      made: rows[0]?.measured.typeable.length ?? 0,
      node: process.version,
      load: [before, after],
      contestants: contestants.map(({ name, what }) => ({ name, what })),
    };
  } finally {
    await server.stop();
  }
};

/** The spread of a list that may contain no finite number. */
export const spread = (values: readonly number[]) =>
  values.some(Number.isFinite) ? summarise(values) : null;
