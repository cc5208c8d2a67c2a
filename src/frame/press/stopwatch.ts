/** Adds up the stretches of time in which something was true. */
export type Stopwatch = {
  /** Says whether it is true from now on. */
  run(isTrue: boolean): void;
  /** Forgets everything; what is true now counts from now. */
  reset(): void;
  /** Ms in all, up to now. */
  elapsed(): number;
  isRunning(): boolean;
};

/** Starts stopped and at zero. `now` in monotonic ms. */
export const createStopwatch = (now: () => number): Stopwatch => {
  let counted = 0;
  let since: number | null = null;
  return {
    run(isTrue) {
      if (isTrue === (since !== null)) return;
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
