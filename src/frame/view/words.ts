/** The form's texts in the buyer's language, as signals, so that the language can change at any time. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Money } from '../../api/money.ts';
import { type Catalog, en, type MessageKey } from '../../i18n/en.ts';
import { direction, type Negotiated, negotiate } from '../../i18n/locale.ts';
import { formatMoney, formatNumber } from '../../i18n/money.ts';
import { translate } from '../../i18n/translate.ts';
import type { Translations } from '../../i18n/translations.ts';
import {
  type LanguageAttributes,
  type LoadedLanguage,
  loadLanguage,
  setDocumentLanguage,
} from '../first/language.ts';

/** A text by its key. Numbers and money among the values are formatted for the buyer's locale. */
export type Message = { key: MessageKey; values?: Readonly<Record<string, string | number | Money>> };

export type Words = {
  /** The language of the texts, and the locale for numbers. */
  negotiated: ReadonlySignal<Negotiated>;
  /** The text. It reads a signal, so a component that renders it follows the language. */
  say(key: MessageKey, values?: Message['values']): string;
  /** The text with its placeholders, and whether it is the form's own rather than the page's. */
  template(key: MessageKey): { text: string; isOurs: boolean };
  /** Formats an amount for the locale. */
  money(money: Money): string;
  /** Changes the language once its catalog has loaded. */
  changeLanguage(requested: string | undefined): Promise<void>;
  /** Replaces texts of the form in every language, and the replacements of an earlier call. */
  setTranslations(translations: Translations): void;
};

/**
 * Starts in the language `first`, or else in English. `preferred` are the browser's languages. `root` gets the language
 * attributes whenever the language changes.
 */
export const createWords = (
  preferred: readonly string[],
  root: LanguageAttributes,
  first: LoadedLanguage | null = null,
): Words => {
  const current = signal<LoadedLanguage>(
    first ?? { catalog: null, negotiated: { language: 'en', locale: negotiate('en', preferred).locale } },
  );
  const overrides = signal<Translations>({});
  const own = computed<Catalog>(() => current.value.catalog ?? en);
  const catalog = computed<Catalog>(() => ({ ...own.value, ...overrides.value }));
  let latest = 0;

  const money = (value: Money) => formatMoney(value, current.value.negotiated.locale);

  const format = (value: string | number | Money): string => {
    const { locale, language } = current.value.negotiated;
    const text =
      typeof value === 'object'
        ? money(value)
        : typeof value === 'number'
          ? formatNumber(value, locale)
          : value;
    // Isolates keep the direction of a time, a code or a brand, and do not change the text around it.
    return direction(language) === 'rtl' ? `\u2068${text}\u2069` : text;
  };

  return {
    negotiated: computed(() => current.value.negotiated),
    money,
    template(key) {
      const text = catalog.value[key];
      return { text, isOurs: text === own.value[key] };
    },
    say(key, values = {}) {
      const filled = Object.entries(values).map(([name, value]) => [name, format(value)]);
      return translate(catalog.value, key, Object.fromEntries(filled));
    },
    async changeLanguage(requested) {
      latest += 1;
      const mine = latest;
      const loaded = await loadLanguage(requested, preferred);
      if (mine !== latest || !loaded) return; // outdated, or the catalog failed to load
      current.value = loaded;
      setDocumentLanguage(root, loaded.negotiated);
    },
    setTranslations(translations) {
      overrides.value = translations;
    },
  };
};
