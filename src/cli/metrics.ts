/** What `card-form verify` and `card-form probe` found, in Prometheus's text format, for its textfile collector. */
import { rename, writeFile } from 'node:fs/promises';
import type { ProbeReport } from '../operate/probe/probe.ts';
import { messageOf, ReleaseError } from '../operate/release/release-error.ts';
import { faultsIn, type VerifyReport } from '../operate/release/verify-served.ts';

type Sample = { labels: Readonly<Record<string, string>>; value: number };

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** One metric; nothing if it has no sample. All are gauges: each run writes what it found. */
const metric = (name: string, help: string, samples: readonly Sample[]): readonly string[] =>
  samples.length === 0
    ? []
    : [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} gauge`,
        ...samples.map(({ labels, value }) => {
          const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
          return `${name}{${pairs.join(',')}} ${value}`;
        }),
      ];

const textOf = (metrics: readonly (readonly string[])[]): string => `${metrics.flat().join('\n')}\n`;

/** `edge`: the node that was asked; null for the service as browsers reach it. */
export type EdgeReport = { edge: string | null; report: VerifyReport };

/** `now` and `took` in ms. */
export const verifyMetrics = (reports: readonly EdgeReport[], now: number, took: number): string => {
  const labelled = (value: (report: VerifyReport) => number): readonly Sample[] =>
    reports.map(({ edge, report }) => ({
      labels: { base_url: report.baseUrl, edge: edge ?? '' },
      value: value(report),
    }));
  const [first] = reports;
  const whole = { base_url: first?.report.baseUrl ?? '' };
  return textOf([
    metric(
      'card_form_verify_ok',
      'Whether everything was served as it was built.',
      labelled(({ ok }) => (ok ? 1 : 0)),
    ),
    metric(
      'card_form_verify_faults',
      'Problems found, each counted once however many addresses have it.',
      labelled((report) => faultsIn(report).length),
    ),
    metric(
      'card_form_verify_addresses',
      'Addresses that were asked for.',
      labelled(({ releases }) => releases.reduce((sum, { addresses }) => sum + addresses, 0)),
    ),
    metric('card_form_verify_duration_seconds', 'How long it took.', [{ labels: whole, value: took / 1000 }]),
    metric('card_form_verify_time_seconds', 'When it ended, in seconds since 1970.', [
      { labels: whole, value: now / 1000 },
    ]),
  ]);
};

/** `now` in ms since 1970. */
export const probeMetrics = ({ ok, baseUrl, release, reason, times }: ProbeReport, now: number): string => {
  const labels = { base_url: baseUrl };
  return textOf([
    metric('card_form_probe_ok', 'Whether a buyer could have paid.', [{ labels, value: ok ? 1 : 0 }]),
    metric(
      'card_form_probe_failure',
      'Why no buyer could have paid; absent if one could.',
      reason === null ? [] : [{ labels: { ...labels, reason }, value: 1 }],
    ),
    metric(
      'card_form_probe_release',
      'The release of the script; absent if it did not run.',
      release === null ? [] : [{ labels: { ...labels, release }, value: 1 }],
    ),
    metric(
      'card_form_probe_duration_seconds',
      'How long the form took until this, from the request for the script.',
      (['loader', 'typeable', 'ready'] as const).flatMap((until) => {
        const took = times[until];
        return took === null ? [] : [{ labels: { ...labels, until }, value: took / 1000 }];
      }),
    ),
    metric('card_form_probe_time_seconds', 'When it ended, in seconds since 1970.', [
      { labels, value: now / 1000 },
    ]),
  ]);
};

/**
 * Writes the file as a whole, because a collector may read it at any moment. Throws a `ReleaseError` if it cannot be
 * written: the collector would go on with what was there before.
 */
export const writeMetrics = async (path: string, text: string): Promise<void> => {
  try {
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  } catch (error) {
    throw new ReleaseError(
      `${path} was expected to be a file that this program may write; it could not: ${messageOf(error)}. Name it with --metrics.`,
    );
  }
};
