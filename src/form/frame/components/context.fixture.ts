/** The context of a form that is shown but not connected, in English. */
import { signal } from '@preact/signals';
import { exampleForm } from '../merchant/merchant.fixture.ts';
import { FIRST_VIEW } from '../view/form-view.ts';
import { createWords } from '../view/words.ts';
import type { FormContext } from './context.ts';

export const exampleContext = (different: Partial<FormContext> = {}): FormContext => ({
  form: exampleForm(),
  words: createWords(['en-US'], document.documentElement),
  screen: signal(FIRST_VIEW),
  earlyTotal: signal(null),
  guard: null,
  actions: signal(null),
  late: signal(null),
  isSandbox: false,
  isStatus: false,
  autoAdvance: true,
  isButtonless: signal(false),
  pressHint: signal(null),
  isInterrupted: signal(false),
  isGrouped: signal(false),
  isNameFirst: signal(false),
  ...different,
});
