/** Measures the total time a condition held. */
export type Stopwatch = {
  /** Sets whether the condition holds from now on. */
  run(isTrue: boolean): void;
  /** Resets to zero; keeps running if the condition holds. */
  reset(): void;
  /** Total so far, in ms. */
  elapsed(): number;
  isRunning(): boolean;
};

/** Starts stopped and at zero. `now` in monotonic ms. */
export const createStopwatch = (now: () => number): Stopwatch => {
  let counted = 0;
  let since: number | null = null;
  return {
    run(isTrue) {
      if (since !== null) counted += now() - since;
      since = isTrue ? now() : null;
    },
    reset() {
      counted = 0;
      if (since !== null) since = now();
    },
    elapsed: () => counted + (since === null ? 0 : now() - since),
    isRunning: () => since !== null,
  };
};
