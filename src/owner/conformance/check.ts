/** Conformance checks as table rows. */

/** A rule and its check. `run` throws a `Mismatch` if the service breaks the rule, and `Skipped` if it can't decide. */
export type ConformanceCheck<Context> = {
  id: string;
  /** The rule, with its source. */
  rule: string;
  run(context: Context): Promise<void>;
};

/** Rows keyed by `id: rule`; the rule begins with its place in the contract. */
export type Rows<Row> = Readonly<Record<string, Row>>;

/** One check per row, all run by the same function. */
export const checksOf = <Row, Context>(
  rows: Rows<Row>,
  run: (row: Row, context: Context) => Promise<void>,
): readonly ConformanceCheck<Context>[] =>
  Object.entries(rows).map(([name, row]) => {
    const [id = '', ...rule] = name.split(': ');
    return { id, rule: `contract ${rule.join(': ')}`, run: (context) => run(row, context) };
  });

/** One check per row, each with its own function. */
export const checks = <Context>(
  rows: Rows<(context: Context) => Promise<void>>,
): readonly ConformanceCheck<Context>[] => checksOf(rows, (run, context: Context) => run(context));
