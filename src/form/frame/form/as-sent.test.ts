/** promises 2.12: texts are read as intended, and the buyer sees what is sent. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../proof/fuzz.ts';
import { loadFormat } from '../../address/load.ts';
import type { BillingFieldName } from '../../channel/fields.ts';
import { createForm, type FormModel } from './card-form.ts';

const CARD = { number: '4242 4242 4242 4242', expiry: '12 / 30', cvc: '123' };
const BILLING = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  line1: '12 Orchard Lane',
  city: 'Portland',
  state: 'OR',
  postal_code: '97205',
};

const filledForm = (different: Partial<Record<BillingFieldName, string>> = {}): FormModel => {
  const form = createForm({ preferred: ['en-US'], thisMonth: () => ({ year: 2026, month: 11 }) });
  for (const { name, type } of Object.values(form.fields)) {
    const text = new Map(Object.entries({ ...CARD, ...BILLING, ...different })).get(name);
    if (text !== undefined) type(text);
  }
  return form;
};

const leaveAll = ({ fields }: FormModel) => {
  for (const { leave } of Object.values(fields)) leave();
};

/** The billing details' texts, by field. */
const sentBy = (form: FormModel) => {
  const { address, ...others } = form.details()?.billing_details ?? {};
  return new Map<string, unknown>(Object.entries({ ...others, ...address }));
};

describe('on blur the buyer sees what is sent', () => {
  it.each<[BillingFieldName, string, string]>([
    ['email', '\u200fAda Lovelace <mailto:ada@example.com>, ', 'ada@example.com'],
    ['email', 'ａｄａ＠example。com', 'ada@example.com'],
    ['name', ' Ada\u200b\u202e Lovelace\u3164 ', 'Ada Lovelace'],
    ['name', 'علی\u200cرضا', 'علی\u200cرضا'],
    ['line1', '12\tOrchard\u00ad Lane', '12 Orchard Lane'],
    ['city', 'Zu\u0308rich', 'Zürich'],
    ['postal_code', ' 97205\u200b1234', '97205-1234'],
  ])('%s: %j', (name, typed, sent) => {
    const form = filledForm({ [name]: typed });
    leaveAll(form);
    expect(form.fields[name].text.value).toBe(sent);
    expect(sentBy(form).get(name)).toBe(sent);
  });

  it('also without blur, once it is sent', () => {
    const form = filledForm({ email: '<ada@example.com>' });
    expect(form.press()).toBe(null);
    expect(form.fields.email.text.value).toBe('<ada@example.com>');
    expect(sentBy(form).get('email')).toBe('ada@example.com');
    expect(form.fields.email.text.value).toBe('ada@example.com');
  });

  it('whatever was typed', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...'a1@.<>, \u200b\u200d\u202e\u3164\ud800ｅ。'), maxLength: 12 }),
    );
    fc.assert(
      fc.property(text, text, text, text, (name, email, line1, postal_code) => {
        const form = filledForm({ name, email: `${email}@example.com`, line1, postal_code });
        leaveAll(form);
        for (const [field, sent] of sentBy(form))
          if (sent !== null)
            expect(Object.values(form.fields).find(({ name: at }) => at === field)?.text.value).toBe(sent);
      }),
      { numRuns: runs(4000) },
    );
  });

  it('invalid values stay as typed; an unusual code is questioned as it will be sent', () => {
    const form = filledForm({ email: '<ada@>', postal_code: ' 9720a' });
    leaveAll(form);
    expect(form.fields.email.text.value).toBe('<ada@>');
    expect(form.fields.postal_code.text.value).toBe('9720A');
    expect(form.fields.postal_code.doubt.value).toMatchObject({ key: 'postal_code.pattern' });
  });

  it("a code is not rewritten by the previous country's format while the chosen country's format loads", async () => {
    await loadFormat('LV');
    const form = filledForm();
    form.fields.country.type('LV');
    form.fields.country.type('EE'); // not loaded yet
    form.fields.postal_code.type('1010');
    form.fields.postal_code.leave();
    expect(form.fields.postal_code.text.value).toBe('1010');
  });
});
