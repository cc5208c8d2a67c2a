/** What docs/frameworks.md uses of `next/server`, which is not a dependency; `npm run test:frameworks` uses the real one. */
export declare const connection: () => Promise<void>;
