/**
 * Number of runs of a property: a twentieth in `npm test`, all of them with `FUZZ=full`, as in `npm run test:all`.
 * fast-check prints the seed of a failure; pass it as `{ seed }` to reproduce it.
 */
export const runs = (full: number): number =>
  process.env.FUZZ === 'full' ? full : Math.max(10, Math.ceil(full / 20));
