import type { Clock } from './clock.ts';

/** The result of an operation with a time limit. */
export type Timed<Value> = { kind: 'done'; value: Value } | { kind: 'timeout' } | { kind: 'aborted' };

/**
 * Runs an operation for at most `ms` milliseconds. A rejection of `run` is passed on.
 *
 * `run` gets a signal that aborts when the time is up, when `signal` aborts, and when `run` is done. The time limit
 * applies even if `run` ignores that signal: a body that never ends must not outlive it. If `signal` has already
 * aborted, `run` is still called, with an aborted signal.
 */
export const withTimeout = async <Value>(
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Timed<Value>> => {
  const ending = new AbortController();
  const end = () => ending.abort();
  // Not `AbortSignal.any`: browsers leak memory for every signal that ever followed a long-lived one.
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  try {
    const done = run(ending.signal).then((value): Timed<Value> => ({ kind: 'done', value }));
    const stopped = clock
      .wait(ms, ending.signal)
      .then((): Timed<Value> => ({ kind: signal?.aborted ? 'aborted' : 'timeout' }));
    return await Promise.race([done, stopped]);
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
};
