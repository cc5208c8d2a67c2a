import { HOSTED_FONTS, LENGTHS, WEIGHTS } from '../../form/appearance/tokens.ts';
import { appearanceOf, LENGTH_NAMES, type LengthName, WEIGHT_NAMES, type WeightName } from './choices.ts';
import { usePlayground } from './context.ts';
import { SelectField, TextField } from './inputs.tsx';
import { setVariable, variableProblem } from './variables.ts';

/** Font stacks that come with operating systems. */
const SYSTEM_STACKS: readonly string[] = [
  'Georgia, serif',
  'Palatino, "Palatino Linotype", serif',
  '"Helvetica Neue", Helvetica, Arial, sans-serif',
  'Avenir, "Segoe UI", sans-serif',
  'ui-rounded, system-ui, sans-serif',
  'ui-monospace, Menlo, Consolas, monospace',
];

/** Font, lengths and weights. They are the same in light and dark. */
export const SizeControls = () => (
  <>
    <FontControl />
    {LENGTH_NAMES.map((name) => (
      <Length key={name} name={name} />
    ))}
    {WEIGHT_NAMES.map((name) => (
      <Weight key={name} name={name} />
    ))}
  </>
);

const FontControl = () => {
  const { choices, choose } = usePlayground();
  const value = choices.value.variables.fontFamily ?? '';
  const set = (font: string) => choose(setVariable(choices.value, 'variables', 'fontFamily', font));
  const known = [...HOSTED_FONTS, ...SYSTEM_STACKS];
  return (
    <>
      <SelectField
        label="fontFamily"
        options={[
          { value: '', text: choices.value.preset === null ? 'Default: system-ui' : 'As in the theme' },
          ...HOSTED_FONTS.map((font) => ({ value: font, text: `${font} (hosted)` })),
          ...SYSTEM_STACKS.map((fonts) => ({ value: fonts, text: fonts })),
          ...(value === '' || known.some((font) => font === value) ? [] : [{ value, text: value }]),
        ]}
        value={value}
        onChoose={set}
      />
      <TextField
        label="Other fonts, in order of preference"
        value={known.some((font) => font === value) ? '' : value}
        placeholder="Inter, sans-serif"
        problemOf={(text) => variableProblem('fontFamily', text)}
        onChange={set}
      />
    </>
  );
};

type RangeProps = {
  name: LengthName | WeightName;
  least: number;
  most: number;
  step: number;
  preset: number;
  unit: 'px' | '';
};

const Range = ({ name, least, most, step, preset, unit }: RangeProps) => {
  const { choices, choose } = usePlayground();
  const own = choices.value.variables[name];
  const effective = appearanceOf(choices.value).variables?.[name];
  const value = effective === undefined ? preset : Number.parseFloat(`${effective}`);
  const shown = unit === '' ? `${value}` : `${value} ${unit}`;
  const set = (text: string) => choose(setVariable(choices.value, 'variables', name, text));
  return (
    <div class="range">
      <label>
        <span class="range-head">
          {name}
          <span class="value" aria-hidden="true">
            {shown}
          </span>
        </span>
        <input
          type="range"
          min={least}
          max={most}
          step={step}
          value={value}
          aria-valuetext={shown}
          onInput={({ currentTarget }) => set(`${currentTarget.value}${unit}`)}
        />
      </label>
      {own !== undefined && (
        <button type="button" class="link" aria-label={`Reset ${name}`} onClick={() => set('')}>
          Reset
        </button>
      )}
    </div>
  );
};

const Length = ({ name }: { name: LengthName }) => {
  const { choices } = usePlayground();
  const { least, most, preset } = LENGTHS[name];
  const radius = appearanceOf(choices.value).variables?.borderRadius;
  // By default the button has the same corners as the fields.
  const usual = name === 'buttonBorderRadius' && radius !== undefined ? Number.parseFloat(radius) : preset;
  return (
    <Range
      name={name}
      least={least}
      most={most}
      step={name === 'spacingUnit' ? 0.5 : 1}
      preset={usual}
      unit="px"
    />
  );
};

const Weight = ({ name }: { name: WeightName }) => {
  const { least, most, preset } = WEIGHTS[name];
  return <Range name={name} least={least} most={most} step={50} preset={preset} unit="" />;
};
