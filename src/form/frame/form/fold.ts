import { BILLING_OPTIONS, type BillingOption } from '../../channel/fields.ts';
import { neededOf } from '../first/known-details.ts';
import type { FormModel } from './card-form.ts';

/** Folds those options whose fields are complete. */
export const foldFinished = (
  { fields, unasked, isSound }: Pick<FormModel, 'fields' | 'unasked' | 'isSound'>,
  options: readonly BillingOption[],
): void => {
  const isText = [unasked.never, unasked.known, unasked.folded].flatMap((list) => list.peek());
  unasked.fold(
    BILLING_OPTIONS.filter(
      (option) =>
        options.includes(option) &&
        !isText.includes(option) &&
        isSound(option) === true &&
        neededOf(option).every((name) => fields[name].text.peek() !== ''),
    ),
  );
};
