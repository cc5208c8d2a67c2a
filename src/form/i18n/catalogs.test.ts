/** Rules for the texts of every language. Their quality needs a human reader. */
import { describe, expect, it } from 'vitest';
import { catalogOf } from './catalogs.ts';
import { type Catalog, en, type MessageKey } from './en.ts';
import type { Language } from './languages.ts';
import { LANGUAGES } from './languages.ts';

const english: Catalog = en;
/** Sorted, to compare languages. */
const entriesOf = async (language: Language) =>
  Object.entries(await catalogOf(language)).sort(([one], [other]) => (one < other ? -1 : 1));

const places = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

/** The width in Latin letters: an East Asian character counts as two. */
const width = (text: string) =>
  [...text].length + (text.match(/[\u1100-\u11ff\u3000-\u9fff\uac00-\ud7af\uff00-\uff60]/g)?.length ?? 0);

/**
 * Words that would reveal the bank's suspicion to a thief, or to a wrongly suspected buyer; and a sentence with one.
 */
const HINTS: Readonly<Record<Language, readonly [RegExp, string]>> = {
  en: [/\blost|stolen|theft|fraud|scam|suspicious|suspect/i, 'This card was reported stolen.'],
  de: [
    /verlor|gestohlen|diebstahl|betrug|betrüg|verdächtig|verdacht/i,
    'Diese Karte ist als gestohlen gemeldet.',
  ],
  fr: [/perdu|\bvol|fraud|suspect|suspic/i, 'Cette carte est déclarée volée.'],
  es: [/perdid|robad|robo\b|fraud|sospech|extravi/i, 'Esta tarjeta consta como robada.'],
  it: [/smarrit|rubat|furto|frod|sospett|\bpers[oai]\b/i, 'Questa carta risulta rubata.'],
  nl: [/verloren|gestolen|diefstal|fraud|verdacht/i, 'Deze kaart is als gestolen opgegeven.'],
  pt: [/perdid|roubad|roubo|furt|fraud|suspeit/i, 'Este cartão consta como roubado.'],
  pl: [/zgubi|utrac|skradzi|kradzie|oszust|podejrzan/i, 'Ta karta została skradziona.'],
  sv: [/förlora|tappa|stulen|stulet|stöld|bedräg|misstänk/i, 'Kortet är anmält stulet.'],
  da: [/mistet|tabt|stjål|tyveri|svind|bedrag|mistænk/i, 'Kortet er meldt stjålet.'],
  fi: [/kadonn|kadot|hukat|varast|petos|petoks|huija|epäil/i, 'Kortti on ilmoitettu varastetuksi.'],
  nb: [/mistet|tapt|stjål|tyveri|svind|bedrag|mistenk/i, 'Kortet er meldt stjålet.'],
  cs: [/ztracen|ztrát|odcizen|ukraden|krádež|podvod|podezř/i, 'Karta je hlášena jako ukradená.'],
  el: [/χαμέν|απώλει|κλεμμέν|κλοπή|απάτη|ύποπτ/i, 'Η κάρτα έχει δηλωθεί κλεμμένη.'],
  ro: [/pierdut|furat|furt\b|fraud|suspect|suspic/i, 'Acest card este declarat furat.'],
  hu: [/elvesz|ellop|lopott|lopás|csalás|csaló|gyanú/i, 'Ezt a kártyát ellopták.'],
  et: [/kadunud|kadumi|kaotatud|varasta|vargus|pettus|kahtla|kahtlus/i, 'See kaart on varastatud.'],
  lv: [/nozaud|pazaud|nozag|zādzīb|krāpš|krāpniec|aizdom/i, 'Šī karte ir nozagta.'],
  lt: [/pamest|prarast|pavog|vagyst|sukči|apgaul|įtar/i, 'Ši kortelė pavogta.'],
  sk: [/straten|strát|odcudz|ukradn|krádež|podvod|podozr/i, 'Táto karta je nahlásená ako ukradnutá.'],
  sl: [/izgubljen|izgub|ukraden|kraj[aeo]\b|tatvin|goljuf|prevar|sumljiv/i, 'Ta kartica je bila ukradena.'],
  hr: [/izgubljen|gubitk|ukraden|krađ|prijevar|sumnj/i, 'Ova je kartica ukradena.'],
  bg: [/изгуб|загуб|открадн|кражб|измам|подозр|съмнител/i, 'Тази карта е открадната.'],
  uk: [/втрач|загуб|викрад|вкрад|крадіж|шахрай|підозр/i, 'Цю картку викрадено.'],
  tr: [/kayıp|kaybol|çalın|hırsız|dolandır|sahte|şüphe/i, 'Bu kartın çalındığı bildirildi.'],
  ja: [/紛失|盗|不正|詐欺|疑/, 'このカードは盗難の届けが出ています。'],
  zh: [/丢失|遗失|挂失|盗|欺诈|诈骗|可疑/, '此卡已被盗。'],
  'zh-Hant': [/遺失|掛失|盜|竊|詐|可疑|不法/, '此卡已遭盜用。'],
  ko: [/분실|도난|도용|사기|부정|의심/, '도난 신고된 카드입니다.'],
  th: [/หาย|ขโมย|โจรกรรม|ฉ้อโกง|ทุจริต|สงสัย/, 'บัตรนี้ถูกขโมย'],
  vi: [
    /bị mất|thất lạc|đánh cắp|mất cắp|trộm|gian lận|lừa đảo|đáng ngờ|nghi ngờ/i,
    'Thẻ này đã bị đánh cắp.',
  ],
  id: [/hilang|dicuri|curian|pencuri|curang|penipu|mencuriga|dicuriga/i, 'Kartu ini dilaporkan dicuri.'],
  ar: [/مفقود|ضائع|مسروق|سرق|احتيال|مشبوه/, 'هذه البطاقة مسروقة.'],
  he: [/אבד|אבוד|גנוב|גנב|הונאה|חשוד|מרמה/, 'הכרטיס דווח כגנוב.'],
};

/** Texts that are intentionally the same as in English, in addition to those that are the same in every language. */
const SAME: Readonly<Partial<Record<Language, readonly MessageKey[]>>> = {
  de: [
    'field.state.county',
    'field.state.oblast',
    'field.state.parish',
    'field.state.region',
    'field.optional',
  ],
  fr: [
    'field.city.district',
    'field.state.district',
    'field.state.oblast',
    'field.state.province',
    'receipt.date',
    'total',
  ],
  es: ['total'],
  nl: [
    'field.city.district',
    'field.postal_code.postcode',
    'field.state.district',
    'field.state.oblast',
    'field.state.parish',
    'details',
  ],
  pt: ['field.state.oblast', 'total'],
  pl: ['field.state.region'],
  sv: ['field.state.oblast', 'field.state.parish', 'field.state.region'],
  da: ['field.state.oblast', 'field.state.region', 'receipt.reference'],
  nb: ['field.state.oblast', 'field.state.region'],
  cs: ['field.state.oblast', 'field.state.region'],
  el: ['field.email'],
  ro: ['section.card', 'field.city.district', 'field.state.district', 'field.state.oblast', 'total'],
  et: ['field.state.oblast'],
  lv: ['field.state.province'],
  sl: ['field.state.oblast'],
  hr: ['field.state.oblast'],
  id: ['field.state.area', 'field.state.oblast', 'total'],
  tr: ['field.state.oblast'],
  ko: ['placeholder.expiry'],
  ar: ['placeholder.expiry'],
  he: ['placeholder.expiry'],
};
const SAME_EVERYWHERE: readonly MessageKey[] = [
  'placeholder.number',
  'placeholder.cvc',
  'summary.quantity',
  'field.postal_code.cep',
  'field.postal_code.eircode',
];

describe.each(LANGUAGES)('the texts in %s', (language) => {
  it('have the same keys as the English ones', async () => {
    const catalog = await catalogOf(language);
    expect(Object.keys(catalog).sort()).toEqual(Object.keys(en).sort());
    expect(Object.entries(catalog).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('have the same placeholders', async () => {
    const found = (await entriesOf(language)).map(([key, text]) => [key, places(text)]);
    expect(found).toEqual((await entriesOf('en')).map(([key, text]) => [key, places(text)]));
  });

  it('have no exclamation marks, straight quotes or other careless typography', async () => {
    const found = await entriesOf(language);
    const careless = /[!！]|["'`´]|\.\.| {2}|^\s|\s$|\s[.,]/u;
    expect(found.filter(([, text]) => careless.test(text))).toEqual([]);
  });

  it('end like the English ones: a sentence with its mark, a label without', async () => {
    const ended = (text: string) => /[.。?؟;]$|예: \S+( \/ \d+)?$|よろしいですか。/u.test(text);
    const found = (await entriesOf(language)).map(([key, text]) => [key, ended(text)]);
    const isMarked = language !== 'th'; // Thai puts a space between sentences, and no mark after them
    const expected = (await entriesOf('en')).map(([key, text]) => [key, isMarked && ended(text)]);
    // In Japanese the question about the security code is a noun.
    expect(found.filter(([key]) => key !== 'cvc.help')).toEqual(
      expected.filter(([key]) => key !== 'cvc.help'),
    );
  });

  it('never speak of lost or stolen cards or of fraud', async () => {
    const [hint, example] = HINTS[language];
    expect(example).toMatch(hint);
    expect((await entriesOf(language)).filter(([, text]) => hint.test(text))).toEqual([]);
  });

  it('have no English text left', async () => {
    if (language === 'en') return;
    const left = (await entriesOf(language)).filter(
      // 'field.problem' has no words, only the language's punctuation.
      ([key, text]) => key !== 'field.problem' && text === new Map(Object.entries(english)).get(key),
    );
    const same = new Set<string>([...SAME_EVERYWHERE, ...(SAME[language] ?? [])]);
    expect(new Set(left.map(([key]) => key))).toEqual(same);
  });

  it('are short where there is little space', async () => {
    const most = (key: string): number => {
      if (key === 'field.expiry' || key === 'field.cvc') return 20; // two in a line of 320 px
      if (key === 'field.line2.add') return 40; // in its own line
      if (key === 'pay') return 12 + '{amount}'.length;
      if (/^(field\.(?!refused)|section|total|details|sandbox$|pay\.busy|action|summary)/.test(key))
        return 28;
      if (key.startsWith('placeholder.')) return 19;
      if (/^(frame\.title|secure|sandbox\.hint|cvc\.help|success|notice\.succeeded)/.test(key)) return 54;
      return 180;
    };
    const long = (await entriesOf(language)).filter(([key, text]) => width(text) > most(key));
    expect(long.map(([key, text]) => [key, width(text), text])).toEqual([]);
  });
});

it('French has non-breaking spaces before its punctuation marks', async () => {
  const wrong = (await entriesOf('fr')).filter(([, text]) => /[^\u202f][?;]|[^\u00a0]:/.test(text));
  expect(wrong).toEqual([]);
});

it.each(['ar', 'he'] as const)(
  'isolates dates and email addresses in %s as left to right',
  async (language) => {
    const texts = (await entriesOf(language)).map(([, text]) => text);
    const isolated = texts.filter((text) => /\u2066(05 \/ 30|name@example\.com)\u2069/.test(text));
    expect(isolated).toHaveLength(3);
    const bare = texts.map((text) => text.replace(/\u2066[^\u2066\u2069]*\u2069/g, ''));
    expect(bare.filter((text) => /\d \/ \d|@|[\u2066\u2069\u202a-\u202e]/.test(text))).toEqual([]);
  },
);
