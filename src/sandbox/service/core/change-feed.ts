/** Notifies the inspector that something may have changed, so that it reloads what it shows. */
export type ChangeFeed = {
  notify(): void;
  /** A number that changes with every notification. */
  version(): number;
  /** Resolves with the version as soon as it differs from `seen`, or when the signal aborts. Never rejects. */
  changedSince(seen: number, signal: AbortSignal): Promise<number>;
};

/** `start` is the first version. It should differ between sandboxes that run on the same port one after the other. */
export const createChangeFeed = (start: number): ChangeFeed => {
  let version = start;
  const waiting = new Set<() => void>();
  return {
    notify: () => {
      version += 1;
      for (const wake of waiting) wake();
    },
    version: () => version,
    changedSince: (seen, signal) =>
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
