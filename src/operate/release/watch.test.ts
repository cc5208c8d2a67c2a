import { describe, expect, it } from 'vitest';
import { countReports, parseLimits, type Watch, watchShare } from './watch.ts';

const MINUTE = 60_000;

const watch = (more: Partial<Watch>) => {
  let time = 0;
  const lines: string[] = [];
  const ended = watchShare({
    limits: { probe: null, reports: null },
    duration: 10 * MINUTE,
    pause: MINUTE,
    probe: async () => null,
    reports: async () => 0,
    wait: async (ms) => {
      time += ms;
    },
    now: () => time,
    log: (line) => void lines.push(line),
    signal: new AbortController().signal,
    ...more,
  });
  return ended.then((reason) => ({ reason, minutes: time / MINUTE, lines }));
};

describe('a share stops by itself', () => {
  it('when so many probes in a row failed, and not before', async () => {
    const answers = ['a', null, 'b', 'c', null];
    const limits = { probe: 2, reports: null };
    const { reason, minutes, lines } = await watch({ limits, probe: async () => answers.shift() ?? null });
    expect([reason, minutes]).toEqual(['2 probes in a row failed: c', 3]);
    expect(lines).toEqual(['probe 1 of 2 failed: a', 'probe 1 of 2 failed: b', 'probe 2 of 2 failed: c']);
  });

  it('when so many reports arrived since it began', async () => {
    const { reason, minutes } = await watch({
      limits: { probe: null, reports: 5 },
      reports: async () => 2,
    });
    expect([reason, minutes]).toEqual(['6 reports of errors since the share began', 2]);
  });

  it.each<[string, Partial<Watch>]>([
    ['the probe', { probe: () => Promise.reject(new Error('gone')) }],
    ['the log of reports', { reports: () => Promise.reject(new Error('gone')) }],
  ])('when %s throws: what is not watched must not go on', async (_, more) => {
    const { reason, minutes } = await watch({ limits: { probe: 3, reports: 3 }, ...more });
    expect([reason, minutes]).toEqual(['it can no longer be watched: gone', 0]);
  });

  it.each<[string, (stop: () => void) => Partial<Watch>]>([
    [
      'before the first look',
      (stop) => {
        stop();
        return {};
      },
    ],
    ['during a probe that never answers', (stop) => ({ probe: () => new Promise(() => stop()) })],
    ['in the pause between two looks', (stop) => ({ wait: () => new Promise(() => stop()) })],
  ])('when whoever started it stops it, %s', async (_, more) => {
    const stopping = new AbortController();
    const stop = () => stopping.abort(new Error('stopped by SIGINT'));
    const { reason, minutes } = await watch({
      limits: { probe: 3, reports: null },
      signal: stopping.signal,
      ...more(stop),
    });
    expect([reason, minutes]).toEqual(['it can no longer be watched: stopped by SIGINT', 0]);
  });

  it('goes on until the time is over if all is well', async () => {
    expect(await watch({ limits: { probe: 1, reports: 1 } })).toMatchObject({ reason: null, minutes: 10 });
  });

  it('counts the lines of a log that name the release', () => {
    const line = (release: string) =>
      `{"documentURL":"https://pay.example/partner/v1/card-form/${release}/frame.html"}`;
    expect(countReports([line('1.0.0-a'), line('1.0.0-ab'), line('1.0.0-a'), ''].join('\n'), '1.0.0-a')).toBe(
      2,
    );
  });

  it.each([
    ['probe=2', { probe: 2, reports: null }],
    ['probe=2,reports=20', { probe: 2, reports: 20 }],
    ['probe', null],
    ['probe=0', null],
    ['errors=3', null],
    ['', null],
  ])('reads the limits %j', (text, limits) => {
    expect(parseLimits(text)).toEqual(limits);
  });
});
