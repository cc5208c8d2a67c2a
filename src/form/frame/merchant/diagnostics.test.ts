import { describe, expect, it } from 'vitest';
import { FrameMessageSchema } from '../../channel/frame-messages.fixture.ts';
import { MOST_TROUBLES } from '../../channel/messages.ts';
import { createDiagnosticsLog } from './diagnostics.ts';

/** Start of the page's navigation, and of the frame's, 400 ms later. */
const PAGE = 1_790_000_000_000;
const FRAME = PAGE + 400;
const REQUEST = {
  type: 'diagnostics',
  release: '0.1.0-abc',
  timeOrigin: PAGE,
  timings: { mounted: 100.4 },
} as const;

/** The log of a form hydrated 300 ms after the frame's navigation. `paintedAt`: null if nothing was painted. */
const setUp = ({
  paintedAt = 200,
  frameOrigin = FRAME,
}: {
  paintedAt?: number | null;
  frameOrigin?: number;
} = {}) => {
  const clock = { time: 300 };
  const log = createDiagnosticsLog(
    {
      timeOrigin: frameOrigin,
      now: () => clock.time,
      getEntriesByName: (name) =>
        name === 'first-contentful-paint' && paintedAt !== null
          ? [{ name, entryType: 'paint', startTime: paintedAt, duration: 0, toJSON: () => null }]
          : [],
    },
    () => [{ at: 0, event: 'opened' }],
  );
  /** The answer, if the channel accepts it. */
  const answer = () => {
    const diagnostics = log.answer(REQUEST);
    expect(FrameMessageSchema.parse({ type: 'diagnostics', diagnostics })).toEqual({
      type: 'diagnostics',
      diagnostics,
    });
    return diagnostics;
  };
  return { clock, log, answer };
};

describe('timings are in ms since the navigation of the page', () => {
  it('left out until reached: nothing can be paid before the intent was read', () => {
    expect(setUp().answer().timings).toEqual({ mounted: 100, typeable: 600 });
  });

  it('payable is the first time only: a read after a decline does not move it', () => {
    const { clock, log, answer } = setUp();
    clock.time = 500.7;
    log.payable();
    clock.time = 9000;
    log.payable();
    expect(answer().timings.payable).toBe(901);
  });

  it.each([
    { what: 'nothing was painted, as in a tab behind others', paintedAt: null },
    { what: 'it was painted late, as a form that is scrolled to', paintedAt: 60_000 },
  ])('typeable is at the latest when the form was hydrated: $what', ({ paintedAt }) => {
    expect(setUp({ paintedAt }).answer().timings.typeable).toBe(700);
  });

  it.each([
    { clocks: 'the clock was put back between the two', frameOrigin: PAGE - 86_400_000, typeable: 0 },
    { clocks: 'the clock was put forward by a century', frameOrigin: PAGE * 3, typeable: 999_999_999_999 },
  ])('stays within the bounds whatever the clocks of both documents say: $clocks', (one) => {
    expect(setUp(one).answer().timings.typeable).toBe(one.typeable);
  });
});

it('counts refused presses by reason', () => {
  const { log, answer } = setUp();
  for (const why of ['incomplete', 'moved', 'incomplete'] as const) log.pressRefused(why);
  expect(answer().presses).toEqual({ incomplete: 2, moved: 1 });
});

describe('troubles', () => {
  const refused = (status: number) =>
    ({
      kind: 'refused',
      status,
      code: 'lg_pi_1',
      type: 'api_error',
      message: 'of ada@example.com',
      param: 'buyer',
      declineCode: null,
    }) as const;

  it('are counted by route and status, or by route and reason, without any text of the service', () => {
    const { log, answer } = setUp();
    log.requestFailed('confirm', refused(502));
    log.requestFailed('confirm', refused(502));
    log.requestFailed('retrieve', { kind: 'no_answer', reason: 'timeout' });
    log.requestFailed('release', { kind: 'throttled', retryAfter: 7, stated: true });
    log.troubled('offline');
    log.troubled('protocol');
    expect(answer().troubles).toEqual({
      'confirm.502': 2,
      'retrieve.timeout': 1,
      'release.429': 1,
      offline: 1,
      protocol: 1,
    });
  });

  it('are of a bounded number of kinds, whatever the service answers', () => {
    const { log, answer } = setUp();
    for (let status = 400; status < 600; status += 1) log.requestFailed('retrieve', refused(status));
    log.requestFailed('retrieve', refused(400));
    expect(Object.keys(answer().troubles)).toHaveLength(MOST_TROUBLES);
    expect(answer().troubles['retrieve.400']).toBe(2);
  });
});

it('an answer is a copy: later counts do not change it', () => {
  const { log, answer } = setUp();
  const first = answer();
  log.pressRefused('moved');
  log.troubled('offline');
  expect(first).toMatchObject({ presses: {}, troubles: {} });
  expect([first.presses, first.troubles]).toEqual([{}, {}]);
});
