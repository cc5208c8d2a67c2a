/** The wall clock of merchants' tests and of ours. */
import { createManualClock } from '../../../api/clock/manual-clock.ts';
import type { WallClock } from './clock.ts';

/** A clock that stands still until a test advances it. */
export const createManualWallClock = (
  startMs = Date.UTC(2026, 0, 1),
): WallClock & {
  /** Moves the time and ends due waits in order. Each wait ends at its own due time, and may start others. */
  advance(ms: number): Promise<void>;
} => {
  const { now, wait, advance } = createManualClock(1, startMs);
  return {
    now,
    wait,
    advance: async (ms) => {
      await advance(ms);
      await advance(0); // one more turn: the last wait may have a response to send
    },
  };
};
