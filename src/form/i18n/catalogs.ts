/**
 * The catalogs in source form. The build turns each into a data file, which buyers fetch (`frame/first/language.ts`).
 */
import { type Catalog, en } from './en.ts';
import type { Language, Translated } from './languages.ts';

const catalogs: Readonly<Record<Translated, () => Promise<Catalog>>> = {
  de: () => import('./de.ts').then(({ de }) => de),
  fr: () => import('./fr.ts').then(({ fr }) => fr),
  es: () => import('./es.ts').then(({ es }) => es),
  it: () => import('./it.ts').then(({ it }) => it),
  nl: () => import('./nl.ts').then(({ nl }) => nl),
  pt: () => import('./pt.ts').then(({ pt }) => pt),
  pl: () => import('./pl.ts').then(({ pl }) => pl),
  sv: () => import('./sv.ts').then(({ sv }) => sv),
  da: () => import('./da.ts').then(({ da }) => da),
  fi: () => import('./fi.ts').then(({ fi }) => fi),
  nb: () => import('./nb.ts').then(({ nb }) => nb),
  cs: () => import('./cs.ts').then(({ cs }) => cs),
  el: () => import('./el.ts').then(({ el }) => el),
  ro: () => import('./ro.ts').then(({ ro }) => ro),
  hu: () => import('./hu.ts').then(({ hu }) => hu),
  et: () => import('./et.ts').then(({ et }) => et),
  lv: () => import('./lv.ts').then(({ lv }) => lv),
  lt: () => import('./lt.ts').then(({ lt }) => lt),
  sk: () => import('./sk.ts').then(({ sk }) => sk),
  sl: () => import('./sl.ts').then(({ sl }) => sl),
  hr: () => import('./hr.ts').then(({ hr }) => hr),
  bg: () => import('./bg.ts').then(({ bg }) => bg),
  uk: () => import('./uk.ts').then(({ uk }) => uk),
  tr: () => import('./tr.ts').then(({ tr }) => tr),
  ja: () => import('./ja.ts').then(({ ja }) => ja),
  zh: () => import('./zh.ts').then(({ zh }) => zh),
  'zh-Hant': () => import('./zh-Hant.ts').then(({ zhHant }) => zhHant),
  ko: () => import('./ko.ts').then(({ ko }) => ko),
  th: () => import('./th.ts').then(({ th }) => th),
  vi: () => import('./vi.ts').then(({ vi }) => vi),
  id: () => import('./id.ts').then(({ id }) => id),
  ar: () => import('./ar.ts').then(({ ar }) => ar),
  he: () => import('./he.ts').then(({ he }) => he),
};

/** The catalog of any language, including English. */
export const catalogOf = async (language: Language): Promise<Catalog> =>
  language === 'en' ? en : catalogs[language]();
