/** The tables of a result, as Markdown. */
import { availableParallelism } from 'node:os';
import type { Result, Row } from './run.ts';
import { spread } from './run.ts';
import { quantile } from './statistics.ts';
import type { Measured } from './visit.ts';

const WHAT: Readonly<Record<keyof Measured, readonly [words: string, places: number, divisor?: number]>> = {
  inserted: ['first iframe in the page, ms', 0],
  typeable: ['**typeable, ms**', 0],
  amount: ['amount seen, ms', 0],
  payable: ['**payable, ms**', 0],
  requestsToTypeable: ['requests until typeable', 0],
  requestsToPayable: ['requests until payable', 0],
  requests: ['requests in all', 0],
  connections: ['connections, with the shop’s', 0],
  bytesToPayable: ['transferred until payable, kB', 1, 1000],
  bytes: ['transferred, kB', 1, 1000],
  wireBytes: ['on the wire, with TLS and the shop’s page, kB', 1, 1000],
  tasks: ['main threads, ms', 0],
  script: ['script, ms', 0],
  scriptToPayable: ['the same, until payable, ms', 0],
  longest: ['longest task over 50 ms, ms', 0],
  longestLater: ['the same, of those after typeable, ms', 0],
  pageShift: ['layout shift of the page', 4],
  frameShift: ['layout shift in the frame', 4],
  pageHeap: ['heap of the page, kB', 0, 1000],
  frameHeap: ['heap of the frames, kB', 0, 1000],
  keyP50: ['key to paint p50, ms', 1],
  keyP95: ['key to paint p95, ms', 1],
  told: ['change events sent to the page while 16 digits are typed', 0],
  frameScriptPerKey: ['script per key in the frame, ms', 2],
  pageScriptPerKey: ['script per key in the page, ms', 3],
};

const isMeasure = (name: string): name is keyof Measured => Object.hasOwn(WHAT, name);
const MEASURES = Object.keys(WHAT).filter(isMeasure);

/** Figures for which a peer without its frames is comparable; in others it is only part of a buyer's load. */
const COMPARABLE: readonly (keyof Measured)[] = ['inserted', 'typeable', 'pageHeap'];

const CONDITION = {
  none: 'no throttling',
  slow: 'CPU 4×, a link of 150 ms and 1.6 Mbit/s with real handshakes',
} as const;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, at) => (at === 0 ? '---' : '--:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

/** Over the keys of all runs, because 16 are too few for a percentile. */
const valuesOf = (row: Row | undefined, name: keyof Measured): readonly number[] => {
  if (!row) return [];
  if (row.keys.length > 0 && name === 'keyP50') return [quantile(row.keys, 0.5)];
  if (row.keys.length > 0 && name === 'keyP95') return [quantile(row.keys, 0.95)];
  return row.measured[name];
};

const cell = (values: readonly number[], places: number, divisor: number): string => {
  const found = spread(values);
  if (!found) return '–';
  const say = (value: number) => (value / divisor).toFixed(places);
  const [median, least, most] = [say(found.median), say(found.least), say(found.most)];
  return least === most ? median : `${median} (${least}–${most})`;
};

const ratio = (of: readonly number[], to: readonly number[]): string => {
  const [above, below] = [spread(of), spread(to)];
  return above && below && below.median > 0 ? `${(above.median / below.median).toFixed(2)}×` : '–';
};

const loads = ({ rows, contestants }: Result): string[] =>
  (['none', 'slow'] as const).flatMap((condition) => {
    const of = (name: string) => rows.find((row) => row.contestant === name && row.condition === condition);
    if (!rows.some((row) => row.condition === condition)) return [];
    const names = contestants.map(({ name }) => name);
    /** Run by run, because both times of a run contain the same delays. */
    const afterTyping = (name: string) => {
      const { payable = [], typeable = [] } = of(name)?.measured ?? {};
      return payable.map((ms, run) => ms / (typeable[run] ?? Number.NaN));
    };
    const pairs = [
      ['loader', 'loader floor'],
      ['early', 'floor'],
      ['loader', 'peer'],
      ['early', 'peer'],
    ] as const;
    return [
      `### ${CONDITION[condition]}`,
      table(
        ['median (least–most)', ...names, ...pairs.map((pair) => pair.join('/'))],
        MEASURES.flatMap((name) => {
          const [words, places, divisor = 1] = WHAT[name];
          const values = (contestant: string) => valuesOf(of(contestant), name);
          const row = [
            words,
            ...names.map((contestant) => cell(values(contestant), places, divisor)),
            ...pairs.map(([ours, other]) =>
              other === 'peer' && !COMPARABLE.includes(name) ? '–' : ratio(values(ours), values(other)),
            ),
          ];
          if (name !== 'payable') return [row];
          const ratios = names.map((contestant) => cell(afterTyping(contestant), 2, 1));
          return [row, ['payable / typeable', ...ratios, ...pairs.map(() => '–')]];
        }),
      ),
    ];
  });

const BUSY =
  '**The machine was busy with other work: counts and bytes hold, times do not. Measure again when it is not.**';

/** The whole report, with a description of each contestant. */
export const markdown = (result: Result): string => {
  const { runs, made, seed, release, node, load, contestants } = result;
  return `${[
    `Release ${release}, ${made} of ${runs} runs in shuffled order, seed ${seed}, Node ${node}, load average ${load.map((one) => one.toFixed(1)).join(' before, ')} after.`,
    ...(Math.max(...load) > 1.5 * availableParallelism() ? [BUSY] : []),
    contestants.map(({ name, what }) => `- **${name}**: ${what}.`).join('\n'),
    ...loads(result),
  ].join('\n\n')}\n`;
};
