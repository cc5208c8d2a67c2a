import { describe, expect, it } from 'vitest';
import { publicDeclaration } from './declare.ts';

describe('the declarations of the package', () => {
  it('import the built files of other declarations', () => {
    const text = `import type { A } from '../form/loader/types.ts';\nexport type B = import("./load.ts").B;\nimport './elements.ts';`;
    for (const ending of ['.js', '.cjs'] as const)
      expect(publicDeclaration('merchant/card-form', text, ending)).toEqual({
        text: text.replaceAll('.ts', ending),
        imports: ['form/loader/types', 'merchant/load', 'merchant/elements'],
      });
  });

  it.each([
    ['merchant/react', "import { type Ref } from 'react';"],
    ['merchant/react', "declare module 'react' {}"],
    ['merchant/vue', 'export type A = import("vue").Ref;'],
    ['merchant/svelte', "declare module 'svelte/elements' {}"],
    ['merchant/react', "export type A = import('react/jsx-runtime').JSX.Element;"],
  ])('of %s may say: %s', (module, text) => {
    expect(publicDeclaration(module, text, '.js')).toEqual({ text, imports: [] });
  });

  it.each([
    ['merchant/card-form', "import type { Ref } from 'react';"],
    ['merchant/binding', 'export type A = import("react").Ref;'],
    ['merchant/elements', "declare module 'react' {}"],
    ['merchant/react', "import type { Ref } from 'vue';"],
    ['merchant/react', "import type { Ref } from 'react-dom';"],
    ['merchant/react', "import 'vue';"],
  ])('of %s must not say: %s', (module, text) => {
    expect(() => publicDeclaration(module, text, '.js')).toThrow(
      'so that the package has no type dependency',
    );
  });

  it('must not reference a library, which an older compiler may lack', () => {
    const text = '/// <reference lib="esnext.disposable" preserve="true" />\nexport type A = 1;';
    expect(() => publicDeclaration('form/loader/types', text, '.js')).toThrow('esnext.disposable');
  });
});
