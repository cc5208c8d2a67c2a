/** The syntax of the package's components in each framework. No other file knows it. */

export type Framework = 'react' | 'vue' | 'svelte';

type Binding = {
  importLine: string;
  /**
   * The code that a page needs to call the form's methods: imports, the declaration, and the attribute that sets it.
   */
  instance: { importLines: readonly string[]; declaration: string; attribute: string };
  /** Converts an option to the name of an attribute. */
  attributeName(option: string): string;
  /** Returns an attribute whose value is the constant with this name. */
  boundAttribute(option: string, constant: string): string;
};

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const INSTANCE_TYPE = "import type { CardFormInstance } from '@partner/card-form';";

export const BINDINGS: Readonly<Record<Framework, Binding>> = {
  react: {
    importLine: "import { CardForm } from '@partner/card-form/react';",
    instance: {
      importLines: [INSTANCE_TYPE, "import { useRef } from 'react';"],
      declaration: 'const form = useRef<CardFormInstance>(null);',
      attribute: 'ref={form}',
    },
    attributeName: (option) => option,
    boundAttribute: (option, constant) => `${option}={${constant}}`,
  },
  vue: {
    importLine: "import { CardForm } from '@partner/card-form/vue';",
    instance: {
      importLines: [INSTANCE_TYPE, "import { shallowRef } from 'vue';"],
      declaration: 'const form = shallowRef<CardFormInstance | null>(null);',
      attribute: 'v-model:form="form"',
    },
    attributeName: kebab,
    boundAttribute: (option, constant) => `:${kebab(option)}="${constant}"`,
  },
  svelte: {
    importLine: "import { CardForm } from '@partner/card-form/svelte';",
    instance: {
      importLines: [INSTANCE_TYPE],
      declaration: 'let form = $state.raw<CardFormInstance | null>(null);',
      attribute: 'bind:form',
    },
    attributeName: (option) => option,
    boundAttribute: (option, constant) => (option === constant ? `{${option}}` : `${option}={${constant}}`),
  },
};
