import { type ReadonlySignal, useComputed } from '@preact/signals';
import { totalOf } from '../../../api/money.ts';
import { useForm } from './context.ts';

/** The total on screen, in the buyer's locale; empty until it is known. */
export const useTotal = (): ReadonlySignal<string> => {
  const { screen, words, earlyTotal } = useForm();
  return useComputed(() => {
    const intent = screen.value.screen === 'form' ? screen.value.intent : null;
    const total = intent ? totalOf(intent) : earlyTotal.value;
    return total ? words.money(total) : '';
  });
};
