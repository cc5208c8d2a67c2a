/** Checks as rows of tables. */

/** A rule and its check, which throws a `Mismatch` if the service breaks the rule and `Skipped` if it cannot tell. */
export type ConformanceCheck<Context> = {
  id: string;
  /** The rule, with its source. */
  rule: string;
  run(context: Context): Promise<void>;
};

/** By `id: rule`; the rule begins with its place in the contract. */
export type Rows<Row> = Readonly<Record<string, Row>>;

/** A check for each row, by what all of the table do. */
export const checksOf = <Row, Context>(
  rows: Rows<Row>,
  run: (row: Row, context: Context) => Promise<void>,
): readonly ConformanceCheck<Context>[] =>
  Object.entries(rows).map(([name, row]) => {
    const [id = '', ...rule] = name.split(': ');
    return { id, rule: `contract ${rule.join(': ')}`, run: (context) => run(row, context) };
  });

/** A check for each row, which says itself what it does. */
export const checks = <Context>(
  rows: Rows<(context: Context) => Promise<void>>,
): readonly ConformanceCheck<Context>[] => checksOf(rows, (run, context: Context) => run(context));
