/** Counts over many runs, and the table that tells them. */
import type { Report } from './run.ts';

export type Tally = { add(report: Report): void; table(): string };

/** Nothing counted yet. */
export const createTally = (): Tally => {
  let runs = 0;
  let presses = 0;
  let deliveries = 0;
  let charged = 0;
  const broken = new Map<string, number>();
  const outcomes = new Map<string, number>();
  const count = (map: Map<string, number>, name: string) => map.set(name, (map.get(name) ?? 0) + 1);

  return {
    add(report) {
      runs += 1;
      presses += report.presses;
      deliveries += report.deliveries;
      if (report.charges > 0) charged += 1;
      count(outcomes, report.outcome);
      for (const promise of report.violations) count(broken, promise);
    },
    table: () =>
      [
        row('plans run', runs),
        row('presses of Pay that were believed', presses),
        row('confirms that reached the service', deliveries),
        row('plans in which money moved', charged),
        row(
          'plans that broke a promise',
          [...broken.values()].reduce((sum, n) => sum + n, 0),
        ),
        ...[...broken].map(([promise, n]) => row(`  ${promise}`, n)),
        'service and form at the end',
        ...[...outcomes].sort(([, a], [, b]) => b - a).map(([outcome, n]) => row(`  ${outcome}`, n)),
      ].join('\n'),
  };
};

const row = (name: string, n: number): string => `${name.padEnd(60)}${String(n).padStart(10)}`;
