/** The form's texts in the buyer's language, as signals, so that the language can change at any time. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Money } from '../../../api/money.ts';
import type { ButtonTexts } from '../../i18n/button-texts.ts';
import { type Catalog, en, type MessageKey } from '../../i18n/en.ts';
import { direction, type Negotiated, negotiate } from '../../i18n/locale.ts';
import { formatMoney, formatNumber } from '../../i18n/money.ts';
import { translate } from '../../i18n/translate.ts';
import type { ChosenTexts, Refused, Translations } from '../../i18n/translations.ts';
import { type LanguageAttributes, setDocumentLanguage } from '../first/document-language.ts';
import { loadLanguage } from '../first/language.ts';

/** A time the buyer has to wait. */
type Wait = { seconds: number };

/** A text by its key. Numbers, money and waits in `values` are formatted for the buyer's locale. */
export type Message = { key: MessageKey; values?: Readonly<Record<string, string | number | Money | Wait>> };

export type Words = {
  /** The language of the texts, and the locale for numbers. */
  negotiated: ReadonlySignal<Negotiated>;
  /** Returns the text. Reads a signal, so a component that renders it follows the language. */
  say(key: MessageKey, values?: Message['values']): string;
  /** The button's text with its placeholder, and whether it is the form's own rather than the page's. */
  payTemplate(): { text: string; isOurs: boolean };
  /** Formats an amount for the locale. */
  money(money: Money): string;
  /** Changes the language once its catalog has loaded. */
  changeLanguage(requested: string | undefined): Promise<void>;
  /**
   * Replaces the form's texts, in every language, with those chosen by the page. Undoes an earlier call with the same
   * option. Resolves with the problems, by option.
   */
  choose(texts: ChosenTexts): Promise<readonly Refused[]>;
};

/** The displayed language, with its texts; null for English. */
type Shown = { catalog: Catalog | null; negotiated: Negotiated };

/**
 * Starts in the language `first`, or else in English. `preferred`: the browser's languages. `root` gets the language
 * attributes at each change.
 */
export const createWords = (
  preferred: readonly string[],
  root: LanguageAttributes,
  first: Shown | null = null,
): Words => {
  const current = signal<Shown>(
    first ?? { catalog: null, negotiated: { language: 'en', locale: negotiate('en', preferred).locale } },
  );
  const overrides = signal<Translations>({});
  const button = signal<ButtonTexts>({});
  const own = computed(() => current.value.catalog ?? en);
  const catalog = computed<Catalog>(() => ({ ...own.value, ...overrides.value }));
  let latest = 0;

  const money = (value: Money) => formatMoney(value, current.value.negotiated.locale);

  /** "5s" below a minute, then "1:15". */
  const wait = ({ seconds }: Wait): string =>
    seconds < 60
      ? new Intl.NumberFormat(current.value.negotiated.locale, SECONDS).format(seconds)
      : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

  const format = (value: string | number | Money | Wait): string => {
    const { locale, language } = current.value.negotiated;
    const text =
      typeof value === 'object'
        ? 'seconds' in value
          ? wait(value)
          : money(value)
        : typeof value === 'number'
          ? formatNumber(value, locale)
          : value;
    // Isolates keep the direction of a time, a code or a brand, without changing the text around it.
    return direction(language) === 'rtl' ? `\u2068${text}\u2069` : text;
  };

  return {
    negotiated: computed(() => current.value.negotiated),
    money,
    payTemplate() {
      const ours = button.value[current.value.negotiated.language] ?? own.value.pay;
      const text = overrides.value.pay ?? ours;
      return { text, isOurs: text === ours };
    },
    say(key, values = {}) {
      const filled = Object.entries(values).map(([name, value]) => [name, format(value)]);
      return translate(catalog.value, key, Object.fromEntries(filled));
    },
    async changeLanguage(requested) {
      latest += 1;
      const mine = latest;
      const loaded = await loadLanguage(negotiate(requested, preferred));
      if (mine !== latest || !loaded) return; // outdated, or the catalog failed to load
      current.value = loaded;
      setDocumentLanguage(root, loaded.negotiated);
    },
    async choose(texts) {
      if (texts.translations === undefined && !texts.buttonType) return [];
      const script = await import('../../i18n/translations.ts').catch(() => null);
      return script
        ? script.chooseTexts(texts, overrides, button)
        : [
            {
              key: texts.buttonType ? 'buttonType' : 'translations',
              why: 'Ignored: a script of the form failed to load.',
            },
          ];
    },
  };
};

const SECONDS = { style: 'unit', unit: 'second', unitDisplay: 'narrow' } as const;
