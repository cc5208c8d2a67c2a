/** The result of checking what the buyer typed into a field. Shared by all fields. */
export type Check<Value, Problem extends string> =
  /** Nothing typed. */
  | { state: 'empty' }
  /** Not valid yet, but more typing can make it valid. Reported only after Pay was pressed. */
  | { state: 'incomplete' }
  /** Wrong, and more typing cannot make it valid. Reported when the field loses focus. */
  | { state: 'invalid'; problem: Problem }
  | { state: 'valid'; value: Value };
