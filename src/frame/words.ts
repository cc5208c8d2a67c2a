/** The form's words in the buyer's language, as signals, so that the language can change while a form stands. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Catalog, MessageKey } from '../i18n/en.ts';
import { enFirst } from '../i18n/en-first.ts';
import { direction, type Negotiated, negotiate } from '../i18n/locale.ts';
import type { formatMoney, formatNumber } from '../i18n/money.ts';
import { loadCatalog, translate } from '../i18n/translate.ts';
import type { Translations } from '../i18n/translations.ts';

/** An amount in minor units. */
export type Money = { value: number; currency: 'usd' | 'eur' };

/** A sentence by name. Values are filled in as text; numbers and money as the buyer's locale writes them. */
export type Message = { key: MessageKey; values?: Readonly<Record<string, string | number | Money>> };

/** How a locale writes them (`i18n/money.ts`). */
export type Numbers = { formatMoney: typeof formatMoney; formatNumber: typeof formatNumber };

export type Words = {
  /** The language spoken and the locale numbers are written in. */
  spoken: ReadonlySignal<Negotiated>;
  /** The sentence; whoever renders it follows the language. */
  say(key: MessageKey, values?: Message['values']): string;
  /** Nothing until that was learned; no amount is known before. */
  money(money: Money): string;
  /** Changes the language once its words are there; until then the old one stays. */
  speak(requested: string | undefined): Promise<void>;
  /** The rest of English, which is spoken where nothing else is, and how amounts and numbers are written. */
  learn(english: Catalog, numbers: Numbers): void;
  /** From now on these stand in place of the form's own, in whatever language; those of an earlier call do not. */
  reword(translations: Translations): void;
};

/** Words in English until told otherwise. `preferred` are the browser's languages. */
export const createWords = (preferred: readonly string[], root: HTMLElement): Words => {
  const english = signal<Partial<Catalog>>(enFirst);
  const current = signal<{ catalog: Catalog | null; spoken: Negotiated }>({
    catalog: null,
    spoken: { language: 'en', locale: negotiate('en', preferred).locale },
  });
  const reworded = signal<Translations>({});
  const catalog = computed<Partial<Catalog>>(() => ({
    ...(current.value.catalog ?? english.value),
    ...reworded.value,
  }));
  const numbers = signal<Numbers | null>(null);
  let latest = 0;

  const money = ({ value, currency }: Money) =>
    numbers.value?.formatMoney({ value, currency }, current.value.spoken.locale) ?? '';

  const written = (value: string | number | Money): string => {
    const { locale, language } = current.value.spoken;
    const text =
      typeof value === 'object'
        ? money(value)
        : typeof value === 'number'
          ? (numbers.value?.formatNumber(value, locale) ?? '')
          : value;
    // Between these two marks a time, a code or a brand keeps its own direction and turns nothing around it.
    return direction(language) === 'rtl' ? `\u2068${text}\u2069` : text;
  };

  return {
    spoken: computed(() => current.value.spoken),
    money,
    say(key, values = {}) {
      const filled = Object.entries(values).map(([name, value]) => [name, written(value)]);
      return translate(catalog.value, key, Object.fromEntries(filled));
    },
    async speak(requested) {
      latest += 1;
      const turn = latest;
      const spoken = negotiate(requested, preferred);
      if (spoken.language === 'en') current.value = { catalog: null, spoken };
      else {
        const catalog = await loadCatalog(spoken.language).catch(() => null);
        if (turn !== latest || !catalog) return; // a later wish won, or the words could not be fetched
        current.value = { catalog, spoken };
      }
      root.lang = spoken.locale;
      root.dir = direction(spoken.language);
    },
    learn(whole, how) {
      english.value = whole;
      numbers.value = how;
    },
    reword(translations) {
      reworded.value = translations;
    },
  };
};
