/** Rules of an appearance as typed, and as in a link: `color: #333; padding: 12px`. */
import { collectProblems } from '../../form/appearance/given-value.ts';
import { parseRules, propertiesOf } from '../../form/appearance/rules.ts';

/** The typed texts, by rule name. */
export type RuleTexts = Readonly<Record<string, string>>;

/** Splits each declaration at its first colon. */
const pairsIn = (text: string): readonly (readonly [string, string])[] =>
  text
    .split(';')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [name = '', ...value] = part.split(':');
      return [name.trim(), value.join(':').trim()];
    });

/** Converts a text to a rule in the form's format. */
export const ruleOfText = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(pairsIn(text));

/** Returns the form's problem with a rule. */
export const ruleProblem = (name: string, text: string): string | null => {
  const { problems, report } = collectProblems();
  parseRules('rules', { [name]: ruleOfText(text) }, (given) => given, report);
  const [problem] = problems;
  return problem ? `${problem.option.replace(/^rules\.[^.]*\.?/, '')} ${problem.message}`.trim() : null;
};

/** An example of input. */
export const ruleExample = (name: string): string => `${propertiesOf(name)[0]}: …`;
