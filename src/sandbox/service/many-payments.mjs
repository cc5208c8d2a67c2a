/**
 * Generates the lines of a state file with `count` copies of one paid payment, each with unique ids and order
 * reference.
 */
export function* manyPayments(seed, { id, client_secret, order_reference }, count) {
  const lines = seed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const last = new Map();
  for (const [table, key, row] of lines.flatMap(({ put = [] }) => put))
    if (table === 'intents') last.set(table, [table, key, row]);
  const text = JSON.stringify({ put: [...last.values()], add: lines.flatMap(({ add = [] }) => add) });
  yield seed;
  for (let copy = 1; copy < count; copy += 1) {
    const numbered = (given) => `${given.slice(0, -8)}${String(copy).padStart(8, '0')}`;
    const reference = JSON.stringify(order_reference);
    yield `${text
      .replaceAll(id, numbered(id))
      .replaceAll(client_secret, numbered(client_secret))
      .replaceAll(reference, JSON.stringify(`${order_reference}-${copy}`))}\n`;
  }
}
