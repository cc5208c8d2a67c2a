/**
 * For developers: returns the known name with the smallest edit distance to a given one, or null if that exceeds a
 * third of its length. Compares letters only, ignoring case.
 */
export const closestName = (given: string, names: readonly string[]): string | null => {
  const lettersOf = (text: string) => text.replace(/[^a-z]/gi, '').toLowerCase();
  const [closest] = names
    .map((name) => ({ name, edits: distance(lettersOf(given), lettersOf(name)) }))
    .filter(({ name, edits }) => edits <= name.length / 3)
    .sort((a, b) => a.edits - b.edits);
  return closest?.name ?? null;
};

/** Levenshtein distance. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const [left = 0, up = 0, corner = 0] = [next[column], row[column + 1], row[column]];
      next.push(Math.min(left + 1, up + 1, corner + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};
