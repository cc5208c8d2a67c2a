/** Changes variables, and checks their values. */
import { parseAppearance } from '../../form/appearance/parse.ts';
import type { Choices, Layer, VariableName } from './choices.ts';

/** Returns the choices that change if a variable gets this value; '' resets it. */
export const setVariable = (
  choices: Choices,
  layer: Layer,
  name: VariableName,
  value: string,
): Partial<Choices> => {
  const { [name]: _, ...others } = choices[layer];
  return { [layer]: value === '' ? others : { ...others, [name]: value } };
};

/** Returns the form's message about a value that it would ignore, or `null` if it accepts the value. */
export const variableProblem = (name: VariableName, value: string): string | null =>
  parseAppearance({ variables: { [name]: value } }).problems[0]?.message ?? null;
