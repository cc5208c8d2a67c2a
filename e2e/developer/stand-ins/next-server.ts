/**
 * The part of `next/server` that docs/frameworks.md uses. `next` is not a dependency; `npm run test:frameworks` uses
 * the real one.
 */
export declare const connection: () => Promise<void>;
