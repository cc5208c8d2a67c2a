/** The words of the button (promises 2.10). Their quality needs a human reader who knows the law of the country. */
import { describe, expect, it } from 'vitest';
import { BUTTON_TYPES } from '../channel/button-types.ts';
import { BUTTON_TEXTS, buttonTexts } from './button-texts.ts';
import { catalogOf } from './catalogs.ts';
import type { Language } from './languages.ts';
import { LANGUAGES } from './languages.ts';
import { problemOfText } from './translations.ts';

/** The word stem for paying in each language. */
const PAID: Readonly<Record<Language, RegExp>> = {
  en: /\bpay\b/,
  de: /zahl/i,
  fr: /pa[iy]e/,
  es: /pag/,
  it: /pag/,
  nl: /beta[al]/,
  pt: /pag/,
  pl: /zapła/,
  sv: /betal/,
  da: /betal/,
  fi: /maks/,
  nb: /betal/,
  cs: /pla[tc]/,
  el: /πληρωμ/,
  ro: /pl[aă]t/,
  hu: /fizet/,
  et: /maks/,
  lv: /maks/,
  lt: /mok/,
  sk: /pla[tc]/,
  sl: /plač/,
  hr: /plaćanj|plati/,
  bg: /плащан/,
  uk: /сплат/,
  tr: /öde/i,
  ja: /支払/,
  zh: /支付/,
  'zh-Hant': /付款|支付/,
  ko: /결제/,
  th: /ชำระ/,
  vi: /thanh toán/,
  id: /bayar/,
  ar: /دفع/,
  he: /תשלום/,
};

/** In letters, so that the button has at most two lines if the form is as wide as a phone. */
const LONGEST = 46 + '{amount}'.length;

describe.each(LANGUAGES)('the texts of the button in %s', (language) => {
  it('differ from each other and from the usual one, and name the amount once', async () => {
    const { pay } = await catalogOf(language);
    const texts = [pay, ...Object.values(BUTTON_TEXTS[language])];
    expect(new Set(texts).size).toBe(BUTTON_TYPES.length);
    expect(texts.map((text) => problemOfText('pay', text))).toEqual(texts.map(() => null));
  });

  it('say that the buyer pays where the word alone does not, are short, and have no careless typography', () => {
    const { buy: _buy, donate: _donate, ...others } = BUTTON_TEXTS[language];
    expect(Object.values(others).filter((text) => !PAID[language].test(text))).toEqual([]);
    const texts = Object.values(BUTTON_TEXTS[language]);
    expect(texts.filter((text) => [...text].length > LONGEST)).toEqual([]);
    expect(texts.filter((text) => /[!！.。]|["'`´]| {2}|^\s|\s$| - /u.test(text))).toEqual([]);
  });
});

it.each([
  ['order', 'de', 'Zahlungspflichtig bestellen – {amount}'],
  ['book', 'de', 'Zahlungspflichtig buchen – {amount}'],
  ['order', 'fr', 'Commande avec obligation de paiement – {amount}'],
  ['donate', 'en', 'Donate {amount}'],
] as const)('says for %s in %s: %s', (type, language, text) => {
  expect(buttonTexts(type)?.[language]).toBe(text);
});

it('no text stands for an unknown type, and none is needed for pay', () => {
  expect(buttonTexts('pay')).toEqual({});
  expect([buttonTexts('ordr'), buttonTexts('toString'), buttonTexts('__proto__')]).toEqual([
    null,
    null,
    null,
  ]);
});
