/** The form's words in the buyer's language, as signals, so that the language can change while a form stands. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { type Catalog, en, type MessageKey } from '../i18n/en.ts';
import { direction, type Negotiated, negotiate } from '../i18n/locale.ts';
import { formatMoney } from '../i18n/money.ts';
import { loadCatalog, translate } from '../i18n/translate.ts';

/** An amount in minor units. */
export type Money = { value: number; currency: 'usd' | 'eur' };

/** A sentence by name. Values are filled in as text; money is written as the buyer's locale writes it. */
export type Message = { key: MessageKey; values?: Readonly<Record<string, string | number | Money>> };

export type Words = {
  /** The language spoken and the locale numbers are written in. */
  spoken: ReadonlySignal<Negotiated>;
  /** The sentence; whoever renders it follows the language. */
  say(key: MessageKey, values?: Message['values']): string;
  money(money: Money): string;
  /** Changes the language once its words are there; until then the old one stays. */
  speak(requested: string | undefined): Promise<void>;
};

/** Words in English until told otherwise. `preferred` are the browser's languages. */
export const createWords = (preferred: readonly string[], root: HTMLElement): Words => {
  const current = signal<{ catalog: Catalog; spoken: Negotiated }>({
    catalog: en,
    spoken: { language: 'en', locale: negotiate('en', preferred).locale },
  });
  let latest = 0;

  const money = ({ value, currency }: Money) => formatMoney({ value, currency }, current.value.spoken.locale);

  return {
    spoken: computed(() => current.value.spoken),
    money,
    say(key, values = {}) {
      const filled = Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'object' ? money(value) : value,
      ]);
      return translate(current.value.catalog, key, Object.fromEntries(filled));
    },
    async speak(requested) {
      latest += 1;
      const turn = latest;
      const spoken = negotiate(requested, preferred);
      const catalog = await loadCatalog(spoken.language).catch(() => null);
      if (turn !== latest || !catalog) return; // a later wish won, or the words could not be fetched
      current.value = { catalog, spoken };
      root.lang = spoken.locale;
      root.dir = direction(spoken.language);
    },
  };
};
