/** Messages from the merchant's page, and a form to apply them to. */
import { FIELD_NAMES } from '../../channel/field-names.ts';
import type { FieldName } from '../../channel/fields.ts';
import { CHANNEL, PROTOCOL } from '../../channel/protocol.ts';
import { type Init, readInit } from '../../channel/read-options.ts';
import { createForm, type FormModel } from '../form/card-form.ts';
import type { UnaskedAtStart } from '../form/unasked.ts';

/** An `init` with these options, as posted by the loader. */
export const initMessage = (options: object = {}): object => ({
  channel: CHANNEL,
  protocol: PROTOCOL,
  publishableKey: `pk_live_${'a'.repeat(32)}`,
  clientSecret: 'lg_cs_x',
  ...options,
});

/** The same, as read by the frame. */
export const exampleInit = (options: object = {}): Init => {
  const init = readInit(initMessage(options));
  if (!init) throw new Error('These options make no init.');
  return init;
};

/** An empty form in January 2026 that asks for everything except `unasked`. */
export const exampleForm = (unasked?: UnaskedAtStart): FormModel =>
  createForm({
    preferred: ['en-US'],
    thisMonth: () => ({ year: 2026, month: 1 }),
    ...(unasked ? { unasked } : {}),
  });

/** Valid values for a buyer in the US. */
export const TYPED = {
  number: '4242 4242 4242 4242',
  expiry: '12 / 34',
  cvc: '123',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  line1: '12 Orchard Lane',
  city: 'Portland',
  state: 'OR',
  postal_code: '97205',
} as const satisfies Partial<Record<FieldName, string>>;

/** A form filled in by the buyer, with these values instead of `TYPED`. */
export const filledForm = (different: Partial<Record<FieldName, string>> = {}): FormModel => {
  const form = exampleForm();
  const values: Partial<Record<FieldName, string>> = { ...TYPED, ...different };
  for (const name of FIELD_NAMES) {
    const text = values[name];
    if (text !== undefined) form.fields[name].type(text);
  }
  return form;
};
