/** The form's words in the buyer's language, as signals, so that the language can change while a form stands. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Money } from '../../api/money.ts';
import { type Catalog, en, type MessageKey } from '../../i18n/en.ts';
import { direction, type Negotiated, negotiate } from '../../i18n/locale.ts';
import { formatMoney, formatNumber } from '../../i18n/money.ts';
import { translate } from '../../i18n/translate.ts';
import type { Translations } from '../../i18n/translations.ts';
import { learn, type Speaking, type Spoken, speakOn } from '../first/language.ts';

/** A sentence by name. Values are filled in as text; numbers and money as the buyer's locale writes them. */
export type Message = { key: MessageKey; values?: Readonly<Record<string, string | number | Money>> };

export type Words = {
  /** The language spoken and the locale numbers are written in. */
  spoken: ReadonlySignal<Negotiated>;
  /** The sentence; whoever renders it follows the language. */
  say(key: MessageKey, values?: Message['values']): string;
  /** The sentence with its places still empty, and whether it is the form's own: not a page's. */
  template(key: MessageKey): { sentence: string; isOurs: boolean };
  /** As the locale writes it. */
  money(money: Money): string;
  /** Changes the language once its words are there; until then the old one stays. */
  speak(requested: string | undefined): Promise<void>;
  /** From now on these stand in place of the form's own, in whatever language; those of an earlier call do not. */
  reword(translations: Translations): void;
};

/**
 * Words in that language, or else in English until told otherwise. `preferred` are the browser's languages; `root`
 * is told which one is spoken, whenever that changes.
 */
export const createWords = (
  preferred: readonly string[],
  root: Speaking,
  first: Spoken | null = null,
): Words => {
  const current = signal<Spoken>(
    first ?? { catalog: null, spoken: { language: 'en', locale: negotiate('en', preferred).locale } },
  );
  const reworded = signal<Translations>({});
  const own = computed<Catalog>(() => current.value.catalog ?? en);
  const catalog = computed<Catalog>(() => ({ ...own.value, ...reworded.value }));
  let latest = 0;

  const money = (value: Money) => formatMoney(value, current.value.spoken.locale);

  const written = (value: string | number | Money): string => {
    const { locale, language } = current.value.spoken;
    const text =
      typeof value === 'object'
        ? money(value)
        : typeof value === 'number'
          ? formatNumber(value, locale)
          : value;
    // Between these two marks a time, a code or a brand keeps its own direction and turns nothing around it.
    return direction(language) === 'rtl' ? `\u2068${text}\u2069` : text;
  };

  return {
    spoken: computed(() => current.value.spoken),
    money,
    template(key) {
      const sentence = catalog.value[key];
      return { sentence, isOurs: sentence === own.value[key] };
    },
    say(key, values = {}) {
      const filled = Object.entries(values).map(([name, value]) => [name, written(value)]);
      return translate(catalog.value, key, Object.fromEntries(filled));
    },
    async speak(requested) {
      latest += 1;
      const turn = latest;
      const learned = await learn(requested, preferred);
      if (turn !== latest || !learned) return; // a later wish won, or the words could not be fetched
      current.value = learned;
      speakOn(root, learned.spoken);
    },
    reword(translations) {
      reworded.value = translations;
    },
  };
};
