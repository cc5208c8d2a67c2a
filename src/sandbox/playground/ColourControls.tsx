import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { parseColour, writeColour } from '../../form/appearance/colour.ts';
import { COLOUR_NAMES, type ColourName, LAYERS, type Layer } from './choices.ts';
import { usePlayground } from './context.ts';
import { Segmented, TextField } from './inputs.tsx';
import { formatRatio, type Readout, readoutsOf, schemeOfLayer } from './readout.ts';
import { setVariable, variableProblem } from './variables.ts';

const LAYER_NAMES = { variables: 'Light and dark', darkVariables: 'Dark only' } as const;

/** The form's colours, each with its contrast in the form. */
export const ColourControls = () => {
  const { choices, systemIsDark } = usePlayground();
  const layer = useSignal<Layer>('variables');
  const scheme = schemeOfLayer(choices.value, layer.value, systemIsDark.value);
  const readouts = readoutsOf(choices.value, layer.value, scheme);
  return (
    <>
      <Segmented
        legend="For"
        options={LAYERS.map((value) => ({ value, text: LAYER_NAMES[value] }))}
        value={layer.value}
        onChoose={(chosen) => {
          layer.value = chosen;
        }}
      />
      <ul class="colours">
        {COLOUR_NAMES.map((name) => {
          const readout = readouts.get(name);
          return (
            readout && (
              <Colour key={`${layer.value} ${name}`} name={name} layer={layer.value} readout={readout} />
            )
          );
        })}
      </ul>
    </>
  );
};

/** The chosen colour in a colour picker's format. The form may use another colour. */
const pickedColour = (value: string | undefined): string | null => {
  const colour = value === undefined ? null : parseColour(value);
  return colour && writeColour(colour);
};

const Colour = ({ name, layer, readout }: { name: ColourName; layer: Layer; readout: Readout }) => {
  const { choices, choose } = usePlayground();
  const id = useId();
  const value = choices.value[layer][name];
  const { colour, ratio, least, problem } = readout;
  const set = (text: string) => choose(setVariable(choices.value, layer, name, text));
  return (
    <li class="colour">
      <input
        type="color"
        aria-label={`Pick ${name}`}
        value={pickedColour(value) ?? colour}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
      <TextField
        label={name}
        value={value ?? ''}
        placeholder={colour}
        problemOf={(text) => variableProblem(name, text)}
        onChange={set}
        when="input"
      />
      <span class="ratio" data-tone={problem === null ? 'good' : 'wait'} aria-describedby={id}>
        <span class="visually-hidden">Contrast </span>
        {formatRatio(ratio)}
        <span class="visually-hidden"> of at least {least}:1</span>
      </span>
      {value !== undefined && (
        <button type="button" class="link" aria-label={`Reset ${name}`} onClick={() => set('')}>
          Reset
        </button>
      )}
      {problem !== null && (
        <p id={id} class="adjusted">
          {problem}
        </p>
      )}
    </li>
  );
};
