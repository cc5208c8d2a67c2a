/** Generates the code for a merchant's page that shows exactly the form with these choices. Pure: text from choices. */
import type { CardFormAppearance } from '../../form/loader/types.ts';
import { BINDINGS, type Framework } from './bindings.ts';
import { type Choices, type ChosenOptions, optionsOf, ownAppearance, type Target } from './choices.ts';
import { Name, printAttribute, printString, printValue } from './print.ts';

/** The service that the form comes from. */
export type ServiceAccess = { origin: string; publishableKey: string };

export type Code = {
  text: string;
  /** The chosen options that this way of embedding cannot set. */
  missing: readonly string[];
};

/** Placeholder for the client secret of the payment intent that the merchant's server created. */
export const SECRET_PLACEHOLDER = 'lg_cs_…';

const PACKAGE = '@partner/card-form';

/** Generates the code for one way of embedding. */
export const codeFor = (target: Target, choices: Choices, service: ServiceAccess): Code => {
  switch (target) {
    case 'script':
      return { text: scriptCode(choices, service), missing: [] };
    case 'module':
      return { text: moduleCode(choices, service), missing: [] };
    case 'react':
    case 'vue':
    case 'svelte':
      return { text: FRAMEWORK_CODE[target](choices, service), missing: [] };
    case 'no-code':
      return noCode(choices, service);
  }
};

/** The options as printed where the package's themes can be imported: the theme by name, plus the differences. */
const withNamedPreset = (choices: Choices): Readonly<Record<string, unknown>> => {
  const options: ChosenOptions = optionsOf(choices);
  const { preset } = choices;
  if (preset === null) return options;
  const own = ownAppearance(choices);
  if (Object.keys(own).length === 0) return { ...options, appearance: new Name(preset) };
  const spread = (layer: 'variables' | 'darkVariables', values: CardFormAppearance['variables']) =>
    values === undefined ? {} : { [layer]: { [`...${preset}.${layer}`]: true, ...values } };
  return {
    ...options,
    appearance: {
      [`...${preset}`]: true,
      ...own,
      ...spread('variables', own.variables),
      ...spread('darkVariables', own.darkVariables),
    },
  };
};

const themeImport = ({ preset }: Choices): readonly string[] =>
  preset === null ? [] : [`import { ${preset} } from '${PACKAGE}/themes';`];

/** Prints `name: value,` on a separate line. */
const property = (name: string, value: unknown, depth: number): string => {
  const start = `${'  '.repeat(depth)}${name}: `;
  return `${start}${printValue(value, depth, start.length)},`;
};

const properties = (options: object, depth: number): readonly string[] =>
  Object.entries(options).map(([name, value]) => property(name, value, depth));

const ON_SUCCESS = "if (outcome === 'succeeded') location.assign('/thanks');";

const indented = (lines: readonly string[], depth: number): readonly string[] =>
  lines.map((line) => (line === '' ? '' : '  '.repeat(depth) + line));

/** The page's own button, if the form has none. */
const hostButton = ({ payButton }: Choices): readonly string[] =>
  payButton === 'host' ? ['<button type="button" id="pay">Pay</button>'] : [];

/** Mounts a form with these options and leaves the page after the payment. */
const mountCode = (choices: Choices, service: ServiceAccess, options: object): readonly string[] => [
  "const form = CardForm.mount('#card-form', {",
  property('publishableKey', service.publishableKey, 1),
  `  clientSecret: ${printString(SECRET_PLACEHOLDER)}, // from your server`,
  ...properties(options, 1),
  '});',
  "form.on('result', ({ outcome }) => {",
  `  ${ON_SUCCESS}`,
  '});',
  ...(choices.payButton === 'host'
    ? ["document.querySelector('#pay').addEventListener('click', () => form.submit());"]
    : []),
];

const scriptCode = (choices: Choices, service: ServiceAccess): string =>
  [
    '<div id="card-form"></div>',
    ...hostButton(choices),
    `<script src=${printAttribute(`${service.origin}/partner/v1/card-form.js`)}></script>`,
    '<script>',
    ...indented(mountCode(choices, service, optionsOf(choices)).join('\n').split('\n'), 1),
    '</script>',
    '',
  ].join('\n');

const moduleCode = (choices: Choices, service: ServiceAccess): string =>
  [
    `import { loadCardForm } from '${PACKAGE}';`,
    ...themeImport(choices),
    '',
    `const CardForm = await loadCardForm(${printString(service.origin)});`,
    ...mountCode(choices, service, withNamedPreset(choices)),
    '',
  ].join('\n');

/** Prints options as attributes of a component: texts and flags inline, everything else as a constant above it. */
const propsOf = (choices: Choices, style: (typeof BINDINGS)[Framework]) => {
  const constants: string[] = [];
  const attributes: string[] = [];
  for (const [name, value] of Object.entries(withNamedPreset(choices))) {
    if (value === true) attributes.push(style.attributeName(name));
    else if (typeof value === 'string') {
      attributes.push(`${style.attributeName(name)}=${printAttribute(value)}`);
    } else if (value instanceof Name) attributes.push(style.boundAttribute(name, value.text));
    else {
      const start = `const ${name} = `;
      constants.push(`${start}${printValue(value, 0, start.length)} as const;`);
      attributes.push(style.boundAttribute(name, name));
    }
  }
  return { constants, attributes };
};

/** The imports, type imports first. */
const importsOf = (framework: Framework, choices: Choices): readonly string[] => {
  const { importLine, instance } = BINDINGS[framework];
  const lines = [
    importLine,
    ...themeImport(choices),
    ...(choices.payButton === 'host' ? instance.importLines : []),
  ];
  return lines.toSorted((one, other) => Number(isTypeImport(other)) - Number(isTypeImport(one)));
};

const isTypeImport = (line: string): boolean => line.startsWith('import type ');

const reactCode = (choices: Choices, service: ServiceAccess): string => {
  const { constants, attributes } = propsOf(choices, BINDINGS.react);
  const isHost = choices.payButton === 'host';
  const form = [
    '<CardForm',
    ...(isHost ? [`  ${BINDINGS.react.instance.attribute}`] : []),
    `  baseUrl=${printAttribute(service.origin)}`,
    `  publishableKey=${printAttribute(service.publishableKey)}`,
    '  clientSecret={clientSecret}',
    ...attributes.map((attribute) => `  ${attribute}`),
    '  onResult={({ outcome }) => {',
    `    ${ON_SUCCESS}`,
    '  }}',
    '/>',
  ];
  const component = isHost
    ? [
        'export const Payment = ({ clientSecret }: { clientSecret: string }) => {',
        `  ${BINDINGS.react.instance.declaration}`,
        '  return (',
        '    <>',
        ...indented(form, 3),
        '      <button type="button" onClick={() => form.current?.submit()}>',
        '        Pay',
        '      </button>',
        '    </>',
        '  );',
        '};',
      ]
    : [
        'export const Payment = ({ clientSecret }: { clientSecret: string }) => (',
        ...indented(form, 1),
        ');',
      ];
  return [
    ...importsOf('react', choices),
    '',
    ...constants,
    ...(constants.length > 0 ? [''] : []),
    ...component,
    '',
  ].join('\n');
};

const vueCode = (choices: Choices, service: ServiceAccess): string => {
  const { constants, attributes } = propsOf(choices, BINDINGS.vue);
  const isHost = choices.payButton === 'host';
  return [
    '<script setup lang="ts">',
    ...importsOf('vue', choices),
    '',
    'defineProps<{ clientSecret: string }>();',
    ...(isHost ? [BINDINGS.vue.instance.declaration] : []),
    ...constants,
    'const finish = ({ outcome }: { outcome: string }) => {',
    `  ${ON_SUCCESS}`,
    '};',
    '</script>',
    '',
    '<template>',
    '  <CardForm',
    ...(isHost ? [`    ${BINDINGS.vue.instance.attribute}`] : []),
    `    base-url=${printAttribute(service.origin)}`,
    `    publishable-key=${printAttribute(service.publishableKey)}`,
    '    :client-secret="clientSecret"',
    ...attributes.map((attribute) => `    ${attribute}`),
    '    @result="finish"',
    '  />',
    ...(isHost ? ['  <button type="button" @click="form?.submit()">Pay</button>'] : []),
    '</template>',
    '',
  ].join('\n');
};

const svelteCode = (choices: Choices, service: ServiceAccess): string => {
  const { constants, attributes } = propsOf(choices, BINDINGS.svelte);
  const isHost = choices.payButton === 'host';
  return [
    '<script lang="ts">',
    ...indented(
      [
        ...importsOf('svelte', choices),
        '',
        'const { clientSecret }: { clientSecret: string } = $props();',
        ...(isHost ? [BINDINGS.svelte.instance.declaration] : []),
        ...constants
          .join('\n')
          .split('\n')
          .filter((line) => line !== ''),
        'const finish = ({ outcome }: { outcome: string }) => {',
        `  ${ON_SUCCESS}`,
        '};',
      ],
      1,
    ),
    '</script>',
    '',
    '<CardForm',
    ...(isHost ? [`  ${BINDINGS.svelte.instance.attribute}`] : []),
    `  baseUrl=${printAttribute(service.origin)}`,
    `  publishableKey=${printAttribute(service.publishableKey)}`,
    '  {clientSecret}',
    ...attributes.map((attribute) => `  ${attribute}`),
    '  onresult={finish}',
    '/>',
    ...(isHost ? ['<button type="button" onclick={() => form?.submit()}>Pay</button>'] : []),
    '',
  ].join('\n');
};

const FRAMEWORK_CODE: Readonly<Record<Framework, (choices: Choices, service: ServiceAccess) => string>> = {
  react: reactCode,
  vue: vueCode,
  svelte: svelteCode,
};

/** Attributes can set only a few options; the others are listed in `missing`. */
const noCode = (choices: Choices, service: ServiceAccess): Code => {
  const { locale, payButton, buttonType, readOnly, appearance = {}, ...others } = optionsOf(choices);
  const { theme, labels, ...look } = appearance;
  const attributes = [
    `client-secret=${printAttribute(SECRET_PLACEHOLDER)}`,
    ...(locale === undefined ? [] : [`locale=${printAttribute(locale)}`]),
    ...(theme === undefined ? [] : [`theme=${printAttribute(theme)}`]),
    ...(labels === undefined ? [] : [`labels=${printAttribute(labels)}`]),
    ...(payButton === undefined ? [] : [`pay-button=${printAttribute(payButton)}`]),
    ...(buttonType === undefined ? [] : [`button-type=${printAttribute(buttonType)}`]),
    ...(readOnly === true ? ['read-only'] : []),
  ];
  const line = `<card-form ${attributes.join(' ')}></card-form>`;
  const element =
    line.length <= 80
      ? [line]
      : ['<card-form', ...attributes.map((attribute) => `  ${attribute}`), '></card-form>'];
  return {
    text: [
      '<script',
      `  src=${printAttribute(`${service.origin}/partner/v1/card-form.js`)}`,
      '  data-card-form',
      `  data-publishable-key=${printAttribute(service.publishableKey)}`,
      '  data-success-url="/thanks"',
      '></script>',
      '',
      ...element,
      '',
    ].join('\n'),
    missing: [...Object.keys(look).map((name) => `appearance.${name}`), ...Object.keys(others)],
  };
};
