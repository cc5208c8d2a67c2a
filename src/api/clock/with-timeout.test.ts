import { describe, expect, it, vi } from 'vitest';
import { createManualClock } from './manual-clock.ts';
import { withTimeout } from './with-timeout.ts';

const never = () => new Promise<never>(() => {});

describe('the result', () => {
  it('is the value of a run that ends in time, even in the last millisecond', async () => {
    const clock = createManualClock();
    const result = withTimeout(clock, 1000, undefined, async () => {
      await clock.wait(999);
      return 'value';
    });
    await clock.advance(999);
    expect(await result).toEqual({ kind: 'done', value: 'value' });
  });

  it('is "timeout" when the time is up, even if the run ignores its signal', async () => {
    const clock = createManualClock();
    const ended = vi.fn();
    void withTimeout(clock, 1000, undefined, never).then(ended);
    await clock.advance(999);
    expect(ended).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(ended).toHaveBeenCalledWith({ kind: 'timeout' });
  });

  it('is "aborted" as soon as the caller aborts, even if the run ignores its signal', async () => {
    const clock = createManualClock();
    const caller = new AbortController();
    const ended = vi.fn();
    void withTimeout(clock, 1000, caller.signal, never).then(ended);
    await clock.advance(500);
    expect(ended).not.toHaveBeenCalled();
    caller.abort();
    await clock.advance(0);
    expect(ended).toHaveBeenCalledWith({ kind: 'aborted' });
  });

  it('is "aborted" at once if the caller had aborted before, and the run sees an aborted signal', async () => {
    const run = vi.fn<(signal: AbortSignal) => Promise<never>>(never);
    const wasAborted = vi.fn();
    run.mockImplementation((signal) => {
      wasAborted(signal.aborted);
      return never();
    });
    expect(await withTimeout(createManualClock(), 1000, AbortSignal.abort(), run)).toEqual({
      kind: 'aborted',
    });
    expect(wasAborted.mock.calls).toEqual([[true]]);
  });

  it('is not changed by an abort after the run has ended', async () => {
    const caller = new AbortController();
    const result = withTimeout(createManualClock(), 1000, caller.signal, async () => 'value');
    await result;
    caller.abort();
    expect(await result).toEqual({ kind: 'done', value: 'value' });
  });

  it.each<[string, () => Promise<never>]>([
    ['rejects', () => Promise.reject(new Error('failed'))],
    [
      'throws',
      () => {
        throw new Error('failed');
      },
    ],
  ])('is the rejection of a run that %s', async (_, run) => {
    const clock = createManualClock();
    await expect(withTimeout(clock, 1000, undefined, run)).rejects.toThrow('failed');
    expect(clock.waiting()).toBe(0);
  });

  it('is not changed by a rejection after the timeout, which nobody has to handle', async () => {
    const clock = createManualClock();
    const result = withTimeout(clock, 1000, undefined, async () => {
      await clock.wait(2000);
      throw new Error('late');
    });
    await clock.advance(3000);
    expect(await result).toEqual({ kind: 'timeout' });
  });
});

describe('cleans up', () => {
  it.each<
    [string, (clock: ReturnType<typeof createManualClock>, caller: AbortController) => Promise<unknown>]
  >([
    ['a value', (clock, { signal }) => withTimeout(clock, 1000, signal, async () => 'value')],
    [
      'a rejection',
      (clock, { signal }) =>
        withTimeout(clock, 1000, signal, () => Promise.reject(new Error('failed'))).catch(() => undefined),
    ],
    [
      'a timeout',
      async (clock, { signal }) => {
        const result = withTimeout(clock, 1000, signal, never);
        await clock.advance(1000);
        return result;
      },
    ],
    [
      'an abort',
      (clock, caller) => {
        const result = withTimeout(clock, 1000, caller.signal, never);
        caller.abort();
        return result;
      },
    ],
  ])('after %s: no timer, and no listener on the caller`s signal', async (_, run) => {
    const clock = createManualClock();
    const caller = new AbortController();
    const added = vi.spyOn(caller.signal, 'addEventListener');
    const removed = vi.spyOn(caller.signal, 'removeEventListener');
    await run(clock, caller);
    expect(clock.waiting()).toBe(0);
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });

  it.each(['a timeout', 'a value'])('after %s: the run`s signal has aborted', async (how) => {
    const clock = createManualClock();
    const seen: AbortSignal[] = [];
    const result = withTimeout(clock, 1000, undefined, async (signal) => {
      seen.push(signal);
      return how === 'a value' ? 'value' : never();
    });
    await clock.advance(1000);
    await result;
    expect(seen.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
