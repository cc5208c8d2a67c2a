import type { Catalog } from './en.ts';

/** The catalogs of all languages but English. A new language needs its file and a line here. */
export const catalogs = {
  de: () => import('./de.ts').then((module): Catalog => module.de),
  fr: () => import('./fr.ts').then((module): Catalog => module.fr),
  es: () => import('./es.ts').then((module): Catalog => module.es),
  it: () => import('./it.ts').then((module): Catalog => module.it),
  nl: () => import('./nl.ts').then((module): Catalog => module.nl),
  pt: () => import('./pt.ts').then((module): Catalog => module.pt),
  pl: () => import('./pl.ts').then((module): Catalog => module.pl),
  sv: () => import('./sv.ts').then((module): Catalog => module.sv),
  da: () => import('./da.ts').then((module): Catalog => module.da),
  fi: () => import('./fi.ts').then((module): Catalog => module.fi),
  nb: () => import('./nb.ts').then((module): Catalog => module.nb),
  cs: () => import('./cs.ts').then((module): Catalog => module.cs),
  el: () => import('./el.ts').then((module): Catalog => module.el),
  ro: () => import('./ro.ts').then((module): Catalog => module.ro),
  hu: () => import('./hu.ts').then((module): Catalog => module.hu),
  et: () => import('./et.ts').then((module): Catalog => module.et),
  lv: () => import('./lv.ts').then((module): Catalog => module.lv),
  lt: () => import('./lt.ts').then((module): Catalog => module.lt),
  sk: () => import('./sk.ts').then((module): Catalog => module.sk),
  sl: () => import('./sl.ts').then((module): Catalog => module.sl),
  hr: () => import('./hr.ts').then((module): Catalog => module.hr),
  bg: () => import('./bg.ts').then((module): Catalog => module.bg),
  uk: () => import('./uk.ts').then((module): Catalog => module.uk),
  tr: () => import('./tr.ts').then((module): Catalog => module.tr),
  ja: () => import('./ja.ts').then((module): Catalog => module.ja),
  zh: () => import('./zh.ts').then((module): Catalog => module.zh),
  'zh-Hant': () => import('./zh-Hant.ts').then((module): Catalog => module.zhHant),
  ko: () => import('./ko.ts').then((module): Catalog => module.ko),
  th: () => import('./th.ts').then((module): Catalog => module.th),
  vi: () => import('./vi.ts').then((module): Catalog => module.vi),
  id: () => import('./id.ts').then((module): Catalog => module.id),
  ar: () => import('./ar.ts').then((module): Catalog => module.ar),
  he: () => import('./he.ts').then((module): Catalog => module.he),
};

/** A language of the form. */
export type Language = 'en' | keyof typeof catalogs;

/** Whether the form has texts in this language. */
export const isLanguage = (tag: string): tag is Language => tag === 'en' || Object.hasOwn(catalogs, tag);

/** The catalog of a language, fetched at the first call. English is bundled with the form. */
export const loadCatalog = (language: Exclude<Language, 'en'>): Promise<Catalog> => catalogs[language]();
