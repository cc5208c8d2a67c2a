/**
 * How many runs a property makes: a twentieth in `npm test`, all of them with `FUZZ=full`, as in `npm run test:all`.
 * fast-check prints the seed of a failure, which `{ seed }` repeats.
 */
export const runs = (full: number): number =>
  process.env.FUZZ === 'full' ? full : Math.max(10, Math.ceil(full / 20));
