/** Tells whoever looks at the sandbox that there is something new to see. What it is they ask for themselves. */
export type Pulse = {
  /** Something has changed, or may have. */
  beat(): void;
  /** A number that is another one after every beat. */
  version(): number;
  /** Resolves with the version as soon as it is another than `seen`, or when the signal aborts. Never rejects. */
  after(seen: number, signal: AbortSignal): Promise<number>;
};

/** `start`: the first version. Sandboxes that follow each other on a port should differ in it. */
export const createPulse = (start: number): Pulse => {
  let version = start;
  const waiting = new Set<() => void>();
  return {
    beat: () => {
      version += 1;
      for (const wake of waiting) wake();
    },
    version: () => version,
    after: (seen, signal) =>
      new Promise((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve(version);
        };
        if (version !== seen || signal.aborted) return resolve(version);
        waiting.add(wake);
        signal.addEventListener('abort', wake);
      }),
  };
};
