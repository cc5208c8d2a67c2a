/** What the collector of Prometheus reads, and the rules and the dashboard that read it then. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ProbeReport } from '../operate/probe/probe.ts';
import type { VerifyReport } from '../operate/release/verify-served.ts';
import { probeMetrics, verifyMetrics } from './metrics.ts';

const PROBED: ProbeReport = {
  ok: false,
  baseUrl: 'https://pay.example',
  browser: 'chromium 1',
  release: '1.0.0-a',
  times: { loader: 120, typeable: null, ready: null },
  reason: 'script',
  message: 'x',
  stopped: [],
  screenshot: null,
  har: null,
};
const difference = (address: string) => ({ address, problem: 'age: "9"', askedAs: null });
const VERIFIED: VerifyReport = {
  ok: false,
  baseUrl: 'https://pay.example',
  releases: [
    {
      ...{ release: '1.0.0-a', isMoving: true, isWithdrawn: false, addresses: 7 },
      differences: [difference('/a'), difference('/b')],
    },
  ],
  securityTxt: [],
  isSecurityTxtMissing: true,
};

const read = (name: string): string =>
  readFileSync(new URL(`../operate/hosting/monitoring/${name}`, import.meta.url), 'utf8');

describe("Prometheus's text format", () => {
  it('has help, type and a value for each metric of a probe', () => {
    const text = probeMetrics(PROBED, 1_767_225_600_000);
    expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
      'card_form_probe_ok{base_url="https://pay.example"} 0',
      'card_form_probe_failure{base_url="https://pay.example",reason="script"} 1',
      'card_form_probe_release{base_url="https://pay.example",release="1.0.0-a"} 1',
      'card_form_probe_duration_seconds{base_url="https://pay.example",until="loader"} 0.12',
      'card_form_probe_time_seconds{base_url="https://pay.example"} 1767225600',
      '',
    ]);
    const helped = Array.from(text.matchAll(/^# (?:HELP|TYPE) (\w+) /gm), ([, name]) => name);
    expect(new Set(helped).size * 2).toBe(helped.length);
  });

  it('counts a problem once, and names each node', () => {
    const text = verifyMetrics([{ edge: 'edge-a"', report: VERIFIED }], 1000, 2500);
    expect(text).toContain('card_form_verify_faults{base_url="https://pay.example",edge="edge-a\\""} 1\n');
    expect(text).toContain('card_form_verify_addresses{base_url="https://pay.example",edge="edge-a\\""} 7\n');
    expect(text).toContain('card_form_verify_duration_seconds{base_url="https://pay.example"} 2.5\n');
  });

  it('counts what is wrong with security.txt as faults', () => {
    const report = { ...VERIFIED, securityTxt: ['/.well-known/security.txt: it expired at 2025-12-31'] };
    expect(verifyMetrics([{ edge: null, report }], 1000, 2500)).toContain(
      'card_form_verify_faults{base_url="https://pay.example",edge=""} 2\n',
    );
  });

  it('alert rules and dashboard name no metric and no reason that there is not', () => {
    const known = new Set(
      Array.from(
        (probeMetrics(PROBED, 0) + verifyMetrics([{ edge: null, report: VERIFIED }], 0, 0)).matchAll(
          /^# TYPE (\w+) /gm,
        ),
        ([, name]) => name,
      ),
    );
    const { groups } = parse(read('alerts.yml'));
    const rules: { alert: string; expr: string }[] = groups[0].rules;
    expect(rules.map(({ alert }) => alert)).toContain('CardFormDown');
    const { panels }: { panels: { targets: { expr: string }[] }[] } = JSON.parse(read('dashboard.json'));
    const used = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ].flatMap((text) => text.match(/card_form_\w+/g) ?? []);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
    expect(used.length).toBeGreaterThan(12);
  });
});
