/** The one verdict every rule on typed values shares. */
export type Check<Value, Problem extends string> =
  /** Nothing typed. */
  | { state: 'empty' }
  /** Not yet valid: more typing can make it so. Shown only after Pay was pressed. */
  | { state: 'incomplete' }
  /** Never valid, whatever follows. Shown on leaving the field. */
  | { state: 'invalid'; problem: Problem }
  | { state: 'valid'; value: Value };
