/**
 * What is typed, from the first key on, whether or not what judges it has arrived (`form.ts`): texts are written here
 * and nowhere else, and a form that comes later goes on with them.
 */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type AddressFormat, firstFormat } from '../address/format.ts';
import { type Brand, detectBrand } from '../card/brands.ts';
import { digitsOf } from '../card/caret.ts';
import type { FieldName } from '../channel/field-names.ts';
import { perField } from './fields.ts';
import type { CardForm, Field } from './form.ts';

/** As they stand in the inputs, grouping and all. */
export type Texts = Readonly<Record<FieldName, Signal<string>>>;

/** Nothing typed. */
export const createTexts = (): Texts => perField(() => signal(''));

/** Of a field what a component needs. Until the form is there nothing is wrong with it. */
export type DraftField = Pick<Field, 'name' | 'text' | 'problem' | 'doubt' | 'isComplete' | 'type' | 'leave'>;

/** The form as components see it. */
export type Draft = Pick<CardForm, 'brand' | 'candidates' | 'accepted' | 'countries' | 'format'> & {
  fields: Readonly<Record<FieldName, DraftField>>;
  texts: Texts;
  /** From now on this form, of the same texts, judges what is typed. */
  join(form: CardForm): void;
};

/** An empty form in which a buyer of that country can type. */
export const createDraft = (country: string): Draft => {
  const texts = createTexts();
  texts.country.value = country;
  const joined = signal<CardForm | null>(null);
  /** Of the form, once it is there. */
  const later = <Value>(read: (form: CardForm) => ReadonlySignal<Value>, before: (() => Value) | Value) =>
    computed(() => {
      if (joined.value) return read(joined.value).value;
      return before instanceof Function ? before() : before;
    });

  const createField = (name: FieldName): DraftField => {
    const own = (form: CardForm) => form.fields[name];
    return {
      name,
      text: texts[name],
      problem: later((form) => own(form).problem, null),
      doubt: later((form) => own(form).doubt, null),
      isComplete: later((form) => own(form).isComplete, false),
      type(text) {
        if (joined.value) own(joined.value).type(text);
        else texts[name].value = text;
      },
      leave() {
        if (joined.value) own(joined.value).leave();
      },
    };
  };

  const candidates = computed(() => detectBrand(digitsOf(texts.number.value)));
  return {
    fields: perField(createField),
    texts,
    candidates,
    brand: computed<Brand | null>(() =>
      candidates.value.length === 1 ? (candidates.value[0] ?? null) : null,
    ),
    accepted: later((form) => form.accepted, null),
    countries: later((form) => form.countries, null),
    format: later<AddressFormat>(
      (form) => form.format,
      () => firstFormat(texts.country.value),
    ),
    join(form) {
      joined.value = form;
    },
  };
};
