/** Messages about problems and doubts of a field. */
import * as LIMITS from '../../../api/limits.ts';
import type { AddressFormat } from '../../address/format.ts';
import type { FieldName } from '../../channel/fields.ts';
import type { MessageKey } from '../../i18n/en.ts';
import { isFormKey } from '../../i18n/en-form.ts';
import type { Message } from '../view/words.ts';
import type { Verdict } from './readings.ts';

export const problemOf = (name: FieldName, verdict: Verdict, format: AddressFormat): Message => {
  const problem = verdict.state === 'invalid' ? verdict.problem : verdict.state;
  if (problem === 'too_long') {
    return {
      key: 'text.too_long',
      values: { max: name === 'postal_code' ? LIMITS.postalCode : LIMITS.addressLine },
    };
  }
  if (problem === 'card_number') return { key: 'text.card_number' };
  const label = format.labels.postal_code;
  if (name === 'postal_code' && problem === 'empty' && label !== 'postal')
    return { key: `postal_code.empty.${label}` };
  const values = { example: format.postal?.example ?? '' };
  return { key: keyOf(name, problem), values };
};

/** `isQuestioned`: it has stopped a press, so it doesn't stop the next one. */
export const doubtOf = (isQuestioned: boolean, { postal }: AddressFormat): Message => ({
  key: isQuestioned ? 'postal_code.unusual' : 'postal_code.pattern',
  values: { example: postal?.example ?? '' },
});

/** A problem's key contains the field's name. A problem without its own message uses that of a refused value. */
const keyOf = (name: FieldName, problem: string): MessageKey => {
  const key = `${name}.${problem}`;
  return isFormKey(key) ? key : 'field.refused';
};
