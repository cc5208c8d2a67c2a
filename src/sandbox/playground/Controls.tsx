import type { ComponentChildren } from 'preact';
import { LAYOUT } from '../../form/appearance/tokens.ts';
import { BUTTON_TYPES } from '../../form/channel/button-types.ts';
import { BillingControls } from './BillingControls.tsx';
import { ColourControls } from './ColourControls.tsx';
import { PAY_BUTTONS, PRESETS, type Preset, THEMES } from './choices.ts';
import { usePlayground } from './context.ts';
import { CheckField, Segmented } from './inputs.tsx';
import { LimitControls } from './LimitControls.tsx';
import { RuleControls } from './RuleControls.tsx';
import { SizeControls } from './SizeControls.tsx';
import { TextControls } from './TextControls.tsx';

/** Controls for every option of the form. */
export const Controls = () => (
  <section class="controls" aria-label="Options">
    <Group title="Theme" isOpen>
      <ThemeControls />
    </Group>
    <Group title="Colours" isOpen>
      <ColourControls />
    </Group>
    <Group title="Font, sizes and corners">
      <SizeControls />
    </Group>
    <Group title="Styles by state">
      <RuleControls />
    </Group>
    <Group title="Billing details and known buyers">
      <BillingControls />
    </Group>
    <Group title="Language and texts">
      <TextControls />
    </Group>
    <Group title="Cards and countries">
      <LimitControls />
    </Group>
    <Group title="Pay button and read-only">
      <ButtonControls />
    </Group>
  </section>
);

const Group = ({
  title,
  isOpen = false,
  children,
}: {
  title: string;
  isOpen?: boolean;
  children: ComponentChildren;
}) => (
  <details open={isOpen}>
    <summary>
      <h2>{title}</h2>
    </summary>
    <div class="group">{children}</div>
  </details>
);

const SCHEME_NAMES = { auto: 'As the page', light: 'Light', dark: 'Dark' } as const;
const LABEL_NAMES = { above: 'Above', floating: 'Floating', hidden: 'Hidden' } as const;
const FIELD_NAMES = { separate: 'Separate', grouped: 'Grouped' } as const;
const CARD_NAMES = { lines: 'On lines', row: 'In a row' } as const;
const NAME_PLACES = { last: 'Below the card', first: 'Above the card' } as const;
const SHOWN_NAMES = { shown: 'Shown', hidden: 'Hidden' } as const;

const isPreset = (name: string): name is Preset => Object.hasOwn(PRESETS, name);

const ThemeControls = () => {
  const { choices, choose } = usePlayground();
  const { preset, theme, labels, fields, card, nameField, placeholders, brands } = choices.value;
  const base = preset === null ? {} : PRESETS[preset];
  const fieldsShown = fields ?? ('fields' in base ? base.fields : undefined) ?? 'separate';
  return (
    <>
      <Segmented
        legend="Ready theme"
        options={[
          { value: 'none', text: 'None' },
          { value: 'paper', text: 'Paper' },
          { value: 'print', text: 'Print' },
          { value: 'meadow', text: 'Meadow' },
        ]}
        value={preset ?? 'none'}
        onChoose={(name) =>
          // A theme replaces the whole look.
          choose({
            preset: isPreset(name) ? name : null,
            labels: null,
            fields: null,
            variables: {},
            darkVariables: {},
            rules: {},
          })
        }
      />
      <Segmented
        legend="Light or dark"
        options={THEMES.map((value) => ({ value, text: SCHEME_NAMES[value] }))}
        value={theme}
        onChoose={(chosen) => choose({ theme: chosen })}
      />
      <Segmented
        legend="Fields"
        options={LAYOUT.fields.map((value) => ({ value, text: FIELD_NAMES[value] }))}
        value={fieldsShown}
        onChoose={(chosen) => choose({ fields: chosen })}
      />
      {fieldsShown === 'grouped' && <p class="note">The labels of grouped fields float or are hidden.</p>}
      <Segmented
        legend="Labels"
        options={LAYOUT.labels.map((value) => ({ value, text: LABEL_NAMES[value] }))}
        value={labels ?? ('labels' in base ? base.labels : undefined) ?? 'above'}
        onChoose={(chosen) => choose({ labels: chosen })}
      />
      <Segmented
        legend="Number, date and code"
        options={LAYOUT.card.map((value) => ({ value, text: CARD_NAMES[value] }))}
        value={card}
        onChoose={(chosen) => choose({ card: chosen })}
      />
      <Segmented
        legend="Name"
        options={LAYOUT.nameField.map((value) => ({ value, text: NAME_PLACES[value] }))}
        value={nameField}
        onChoose={(chosen) => choose({ nameField: chosen })}
      />
      <Segmented
        legend="Examples in fields"
        options={LAYOUT.placeholders.map((value) => ({ value, text: SHOWN_NAMES[value] }))}
        value={placeholders}
        onChoose={(chosen) => choose({ placeholders: chosen })}
      />
      <Segmented
        legend="Marks of the brands"
        options={LAYOUT.brands.map((value) => ({ value, text: SHOWN_NAMES[value] }))}
        value={brands}
        onChoose={(chosen) => choose({ brands: chosen })}
      />
    </>
  );
};

const BUTTON_NAMES = { frame: 'In the form', host: 'On the page' } as const;
const TYPE_NAMES = {
  pay: 'Pay',
  buy: 'Buy',
  order: 'Order',
  donate: 'Donate',
  book: 'Book',
  subscribe: 'Subscribe',
} as const;

const ButtonControls = () => {
  const { choices, choose } = usePlayground();
  const { payButton, buttonType, readOnly } = choices.value;
  return (
    <>
      <Segmented
        legend="Pay button"
        options={PAY_BUTTONS.map((value) => ({ value, text: BUTTON_NAMES[value] }))}
        value={payButton}
        onChoose={(chosen) => choose({ payButton: chosen })}
      />
      {payButton === 'frame' && (
        <Segmented
          legend="Its words"
          options={BUTTON_TYPES.map((value) => ({ value, text: TYPE_NAMES[value] }))}
          value={buttonType}
          onChoose={(chosen) => choose({ buttonType: chosen })}
        />
      )}
      <CheckField
        label="Read-only: nothing can be typed or paid"
        checked={readOnly}
        onChange={(checked) => choose({ readOnly: checked })}
      />
    </>
  );
};
