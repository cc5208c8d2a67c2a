/** Counts results over many runs and prints them as a table. */
import { SIGHTS } from './findings.ts';
import type { SimulationOutcome } from './simulate.ts';

export type SimulationReport = { add(outcome: SimulationOutcome): void; table(): string };

/** An empty report. */
export const createReport = (): SimulationReport => {
  const total = { runs: 0, presses: 0, confirms: 0, deliveries: 0, broken: 0 };
  const seen = new Map<string, number>();
  const broken = new Map<string, number>();
  const outcomes = new Map<string, number>();
  const count = (map: Map<string, number>, name: string) => map.set(name, (map.get(name) ?? 0) + 1);
  const share = (name: string, n: number) => row(`  ${name}`, n, n / total.runs);

  return {
    add({ presses, confirms, deliveries, seen: sights, violations, outcome }) {
      total.runs += 1;
      total.presses += presses;
      total.confirms += confirms;
      total.deliveries += deliveries;
      if (violations.length > 0) total.broken += 1;
      for (const sight of sights) count(seen, sight);
      for (const invariant of violations) count(broken, invariant);
      count(outcomes, outcome);
    },
    table: () =>
      [
        row('plans run', total.runs),
        row('presses of Pay that were accepted', total.presses),
        row('confirms that were sent for them', total.confirms),
        row('deliveries of these confirms to the service', total.deliveries),
        row('plans that broke an invariant', total.broken),
        ...[...broken].map(([invariant, n]) => row(`  ${invariant}`, n)),
        'plans in which',
        ...SIGHTS.map((sight) => share(sight, seen.get(sight) ?? 0)),
        'service and form at the end',
        ...[...outcomes].sort(([, a], [, b]) => b - a).map(([outcome, n]) => share(outcome, n)),
      ].join('\n'),
  };
};

const row = (name: string, n: number, share?: number): string =>
  `${name.padEnd(60)}${String(n).padStart(10)}${share === undefined ? '' : `${(share * 100).toFixed(1).padStart(8)} %`}`;
