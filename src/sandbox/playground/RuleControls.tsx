import { RULE_NAMES } from '../../form/appearance/rules.ts';
import { usePlayground } from './context.ts';
import { TextField } from './inputs.tsx';
import { ruleExample, ruleProblem } from './rules-text.ts';

/** A text field for each part of the form in each of its states. */
export const RuleControls = () => {
  const { choices, choose } = usePlayground();
  const { rules } = choices.value;
  const set = (name: string, text: string) => {
    const { [name]: _, ...others } = rules;
    choose({ rules: text === '' ? others : { ...others, [name]: text } });
  };
  return (
    <>
      <p class="note">Such as “backgroundColor: #f4f4f5; boxShadow: none”.</p>
      {RULE_NAMES.map((name) => (
        <TextField
          key={name}
          label={name}
          value={rules[name] ?? ''}
          placeholder={ruleExample(name)}
          problemOf={(text) => ruleProblem(name, text)}
          onChange={(text) => set(name, text)}
        />
      ))}
    </>
  );
};
