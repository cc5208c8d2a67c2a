/** Changes of variables, and what is wrong with a value. */
import { parseAppearance } from '../../form/appearance/parse.ts';
import type { Choices, Layer, VariableName } from './choices.ts';

/** The choices that change if a variable gets this value; '' takes it back. */
export const setVariable = (
  choices: Choices,
  layer: Layer,
  name: VariableName,
  value: string,
): Partial<Choices> => {
  const { [name]: _, ...others } = choices[layer];
  return { [layer]: value === '' ? others : { ...others, [name]: value } };
};

/** What the form says about a value that it would ignore; `null` if it takes it. */
export const variableProblem = (name: VariableName, value: string): string | null =>
  parseAppearance({ variables: { [name]: value } }).problems[0]?.message ?? null;
