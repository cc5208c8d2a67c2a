/** Rules of an appearance as they are typed and stand in a link: `color: #333; padding: 12px`. */
import { collectProblems } from '../../form/appearance/given-value.ts';
import { parseRules, propertiesOf } from '../../form/appearance/rules.ts';

/** The typed texts, by the name of the rule. */
export type RuleTexts = Readonly<Record<string, string>>;

/** What stands before and after the first colon of each part. */
const pairsIn = (text: string): readonly (readonly [string, string])[] =>
  text
    .split(';')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [name = '', ...value] = part.split(':');
      return [name.trim(), value.join(':').trim()];
    });

/** One rule as the form takes it. */
export const ruleOfText = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(pairsIn(text));

/** What the form says about it. */
export const ruleProblem = (name: string, text: string): string | null => {
  const { problems, report } = collectProblems();
  parseRules('rules', { [name]: ruleOfText(text) }, (given) => given, report);
  const [problem] = problems;
  return problem ? `${problem.option.replace(/^rules\.[^.]*\.?/, '')} ${problem.message}`.trim() : null;
};

/** An example of what can be typed. */
export const ruleExample = (name: string): string => `${propertiesOf(name)[0]}: …`;
