/** The rules of a form in layers: read from the page, overridden by given ones, overridden by those given for dark. */
import { collectProblems } from './given-value.ts';
import type { Ruled } from './resolve.ts';
import {
  isProperty,
  type PartName,
  type PartRule,
  type PropertyName,
  parseRules,
  RULE_NAMES,
} from './rules.ts';
import { substituteFrom } from './substitute.ts';

type Given = Pick<Ruled, 'rules' | 'darkRules' | 'taken' | 'isDark'>;

/** `style` is the loader's reading of the page's style. */
export const readRuleLayers = ({ rules, darkRules, taken: ofPage, isDark }: Given, style: unknown) => {
  const { problems, report } = collectProblems();
  const substitute = substituteFrom(style);
  const base = parseRules('appearance.rules', rules, substitute, report);
  const dark = parseRules('appearance.darkRules', darkRules, substitute, report);
  const taken = parseRules('appearance.from', ofPage, substitute, report, true);

  const givenOf = (name: string): PartRule => ({
    ...base.get(name),
    ...(isDark ? dark.get(name) : undefined),
  });
  /** A value read from the page loses to a given one for the same state or for the whole part. */
  const isTaken = (name: string, property: PropertyName): boolean =>
    taken.get(name)?.[property] !== undefined &&
    givenOf(name)[property] === undefined &&
    givenOf(name.replace(/:.*/, ''))[property] === undefined;
  /** The values for a part, or for a part in a state. Empty if there are none. */
  const ruleOf = (name: string): PartRule => ({
    ...Object.fromEntries(
      Object.entries(taken.get(name) ?? {}).filter(
        ([property]) => isProperty(property) && isTaken(name, property),
      ),
    ),
    ...givenOf(name),
  });
  /** The names of a part's rules, in the order in which they are written. */
  const namesOf = (part: PartName) =>
    RULE_NAMES.filter((name) => name === part || name.startsWith(`${part}:`));
  const say = (name: string, property: PropertyName, message: string) => {
    const isOfDark = isDark && dark.get(name)?.[property] !== undefined;
    const layer = isTaken(name, property) ? 'from' : isOfDark ? 'darkRules' : 'rules';
    report(`appearance.${layer}.${name}.${property}`, message);
  };

  return {
    problems,
    ruleOf,
    namesOf,
    say,
    isTaken,
    isGiven: (part: PartName, properties: readonly PropertyName[]) =>
      namesOf(part).some((name) => properties.some((property) => ruleOf(name)[property] !== undefined)),
    /** Returns true if a state looks entirely as on the page. */
    isWhollyTaken: (name: string) => taken.has(name) && Object.keys(givenOf(name)).length === 0,
  };
};
