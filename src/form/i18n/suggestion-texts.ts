/**
 * The screen reader's announcement of address suggestions, by language. Part of the script that shows them, which few
 * pages need.
 */
import type { Language } from './languages.ts';

const TEXTS: Readonly<Record<Language, string>> = {
  en: 'Suggestions: {count}',
  de: 'Vorschläge: {count}',
  fr: 'Suggestions\u00a0: {count}',
  es: 'Sugerencias: {count}',
  it: 'Suggerimenti: {count}',
  nl: 'Suggesties: {count}',
  pt: 'Sugestões: {count}',
  pl: 'Propozycje: {count}',
  sv: 'Förslag: {count}',
  da: 'Forslag: {count}',
  fi: 'Ehdotuksia: {count}',
  nb: 'Forslag: {count}',
  cs: 'Návrhy: {count}',
  el: 'Προτάσεις: {count}',
  ro: 'Sugestii: {count}',
  hu: 'Javaslatok: {count}',
  et: 'Soovitusi: {count}',
  lv: 'Ieteikumi: {count}',
  lt: 'Pasiūlymai: {count}',
  sk: 'Návrhy: {count}',
  sl: 'Predlogi: {count}',
  hr: 'Prijedlozi: {count}',
  bg: 'Предложения: {count}',
  uk: 'Пропозиції: {count}',
  tr: 'Öneriler: {count}',
  ja: '候補：{count} 件',
  zh: '建议：{count} 条',
  'zh-Hant': '建議：{count} 項',
  ko: '추천 주소: {count}개',
  th: 'คำแนะนำ: {count} รายการ',
  vi: 'Gợi ý: {count}',
  id: 'Saran: {count}',
  ar: 'الاقتراحات: {count}',
  he: 'הצעות: {count}',
};

/** The announcement of the number of suggestions. */
export const suggestionsText = (language: Language, count: number): string =>
  TEXTS[language].replace('{count}', `${count}`);
