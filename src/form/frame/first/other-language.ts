/**
 * Shows the form in a language other than the document's: writes the prerendered form's texts, and has the hashes of all
 * catalogs. The page may ask for such a language, or the host may only have the English document. Also renders the
 * document when it is opened outside a frame. Loaded on demand: hashes don't compress, and most buyers read the form in
 * one language.
 */
import type { enForm } from '../../i18n/en-form.ts';
import { LANGUAGES, type Language } from '../../i18n/languages.ts';
import type { Negotiated } from '../../i18n/locale.ts';
import { setDocumentLanguage } from './document-language.ts';

/** In the order of `LANGUAGES` (`build/language-document.ts`). Empty in development, which has no data files. */
declare const __CATALOG_INTEGRITY__: string;

/** The hash of this language's catalog. */
export const hashOf = (language: Language): string =>
  __CATALOG_INTEGRITY__.split(' ')[LANGUAGES.indexOf(language)] ?? '';

/** The places with text, in document order: text nodes, and inputs with a placeholder. */
const placesOf = (root: HTMLElement): readonly (Text | HTMLInputElement)[] => {
  // Queried without the first stage's id of the template: importing its module would move it out of the document.
  const templates = Array.from(document.querySelectorAll('template'), ({ content }) => content);
  const parts = [root, ...templates];
  return parts.flatMap((part) => {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    const places: (Text | HTMLInputElement)[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Text && node.data.trim()) places.push(node);
      if (node instanceof HTMLInputElement && node.placeholder.trim()) places.push(node);
    }
    return places;
  });
};

/** The form's texts. */
export type FormTexts = Readonly<Record<keyof typeof enForm, string>>;

/** The keys of these texts, in the same order: the form, then its template. Empty for the country's name. */
export const PLACED: readonly (keyof FormTexts | '')[] = [
  'total',
  'section.card',
  'field.number',
  'placeholder.number',
  'number.moves_on',
  'field.expiry',
  'placeholder.expiry',
  'field.cvc',
  'placeholder.cvc',
  'field.name',
  'section.billing',
  'field.email',
  'field.country',
  '',
  'field.line1',
  'field.line2',
  'field.optional',
  'field.line2.add',
  'field.postal_code.zip',
  'field.state.state',
  'field.city.city',
  'notice.loading',
  'secure',
  'sandbox',
  'sandbox.hint',
  'billing.address',
  'billing.shipping',
  'billing.change',
  'field.email',
  'field.country',
  'field.line1',
  'field.line2',
  'field.optional',
  'field.line2.add',
  'field.city.city',
  'field.optional',
  'field.state.province',
  'field.optional',
  'field.postal_code.postal',
  'field.optional',
  'pay',
];

/** Call it once, before the form is adapted to the page. */
export const writeForm = (root: HTMLElement, catalog: FormTexts): void => {
  for (const [index, place] of placesOf(root).entries()) {
    const key = PLACED[index];
    if (!key) continue;
    if (place instanceof Text) place.data = catalog[key];
    else place.placeholder = catalog[key];
  }
};

/** The browser's language, and its texts. */
type Alone = { language: { negotiated: Negotiated }; texts: FormTexts };

/** Replaces the form if the document is opened outside a frame, where no page starts it. */
export const showAlone = ({ language, texts }: Alone): void => {
  const root = document.getElementById('form');
  if (!root) return;
  setDocumentLanguage(document.documentElement, language.negotiated);
  root.textContent = texts['frame.alone'];
  root.hidden = false;
};
