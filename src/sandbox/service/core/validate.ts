import * as z from 'zod/mini';
import type { ErrorCode } from '../../../api/errors.ts';
import { RefusedRequest } from './errors.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** The kinds of field errors that the API's error codes distinguish. */
export type FieldViolation = 'missing' | 'unknown' | 'wrong_type' | 'too_big' | 'rule';

/** Chooses the error code for an invalid field. `path` starts at the root of the body. */
export type CodeOf = (violation: FieldViolation, path: Path, input: unknown) => ErrorCode;

/** Returns the parsed body, or throws the error for its first invalid field, with `param`. */
export const parseBody = <Schema extends z.ZodMiniType>(
  schema: Schema,
  body: unknown,
  codeOf: CodeOf = () => 'validation_error',
): z.output<Schema> => {
  const result = z.safeParse(schema, body, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw issue === undefined
    ? new RefusedRequest('validation_error', 'The body is not as expected.')
    : refusal(issue, [], codeOf);
};

/** Creates the error for one issue. `root` is the path of the parsed part within the body. */
export const refusal = (issue: Issue, root: Path, codeOf: CodeOf): RefusedRequest => {
  const violation = violationOf(issue);
  const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...root, ...issue.path, ...unknownKey];
  // An invalid key may be of any length, so the message names its map instead.
  const reported = issue.code === 'invalid_key' ? path.slice(0, -1) : path;
  const param = paramOf(reported);
  const subject = param === '' ? 'The body' : `"${param}"`;
  return new RefusedRequest(
    codeOf(violation, path, issue.input),
    violation === 'unknown'
      ? `${subject} is not a field of this request. Leave it out; check its spelling.`
      : `${subject} must be ${expectation(issue)}; got ${describeInput(issue, path)}.`,
    param === '' ? {} : { param },
  );
};

/**
 * Formats a path like `items[0].quantity`. The caller chooses the names of unknown fields, so they are shortened and
 * runs of digits removed: a wrongly built body may have a card number as a key.
 */
export const paramOf = (path: Path): string =>
  path
    .reduce<string>((text, key) => {
      if (typeof key === 'number') return `${text}[${key}]`;
      const name = String(key).replace(/\d{3,}/g, '…');
      return text === '' ? name : `${text}.${name}`;
    }, '')
    .slice(0, 100);

const violationOf = (issue: Issue): FieldViolation => {
  if (issue.code === 'unrecognized_keys') return 'unknown';
  if (issue.input === undefined) return 'missing';
  // JSON has one type for numbers, so 1.5 for an integer violates a rule, not the type.
  if (issue.code === 'invalid_type')
    return issue.expected === 'int' && typeof issue.input === 'number' ? 'rule' : 'wrong_type';
  if (issue.code === 'invalid_value' && typeof issue.input !== 'string') return 'wrong_type';
  return issue.code === 'too_big' ? 'too_big' : 'rule';
};

const EXPECTED_TYPE: Partial<Record<string, string>> = {
  int: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const expectation = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return EXPECTED_TYPE[issue.expected] ?? 'as documented';
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' or ');
    case 'too_small':
      return sizeOf(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum);
    case 'too_big':
      return sizeOf(issue.origin, 'at most', issue.maximum);
    case 'invalid_key':
      return 'a map whose keys are short enough';
    default:
      // A rule's message is worded to follow "must be".
      return issue.message === 'Invalid input' ? 'as documented' : issue.message;
  }
};

const sizeOf = (origin: string, bound: string, limit: number | bigint): string => {
  const isOne = Number(limit) === 1;
  if (origin === 'string') return `${bound} ${limit} ${isOne ? 'character' : 'characters'} long`;
  if (origin === 'array') return `a list of ${bound} ${limit} ${isOne ? 'entry' : 'entries'}`;
  return `${bound} ${limit}`;
};

/** The parts of a confirm body that contain the buyer's input. */
const BUYER_INPUT: readonly unknown[] = ['card', 'billing_details'];

/** Every card number is at least this large. Valid amounts and counts are smaller. */
const SHORTEST_CARD_NUMBER = 1e9;

/** Counts characters as the limits do: in Unicode code points, of which an emoji is one. */
export const charactersIn = (text: string): number => [...text].length;

/** Describes the input without private data: its type, its length, or a number that cannot be a card number. */
const describeInput = (issue: Issue, path: Path): string => {
  const { input } = issue;
  if (issue.code === 'invalid_key') return 'a key that is too long';
  if (input === undefined) return 'nothing';
  if (input === null) return 'null';
  if (Array.isArray(input)) return `a list of ${input.length}`;
  if (issue.code === 'invalid_value' && issue.values.some((value) => value === `${input}`.toLowerCase()))
    return 'it in capitals';
  if (typeof input === 'string') return `a string of ${charactersIn(input)} characters`;
  if (typeof input === 'number') {
    const isPrivate = BUYER_INPUT.includes(path[0]) || Math.abs(input) >= SHORTEST_CARD_NUMBER;
    return isPrivate ? 'another number' : String(input);
  }
  return typeof input === 'boolean' ? String(input) : 'an object';
};
