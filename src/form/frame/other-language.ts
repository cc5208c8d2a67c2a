/**
 * Writes the prerendered form in another language than the document's, if the page asks for one or the host only has
 * the English document. Also renders the document when it is opened outside a frame.
 */
import type { enForm } from '../i18n/en-form.ts';
import { negotiate } from '../i18n/locale.ts';
import { type LoadedLanguage, loadLanguage, setDocumentLanguage } from './first/language.ts';

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

/** The keys of these texts, in the same order: the form, then its template. Empty for the country's name. */
export const PLACED: readonly (keyof typeof enForm | '')[] = [
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

/** The form's texts. */
type FormTexts = Readonly<Record<keyof typeof enForm, string>>;

/** A language's texts. English ones come with the form. */
export const textsOf = async ({ catalog }: LoadedLanguage): Promise<FormTexts> =>
  catalog ?? (await import('./form.tsx')).en;

/** Call it once, before the form is adapted to the page. */
export const writeForm = (root: HTMLElement, catalog: FormTexts): void => {
  for (const [index, place] of placesOf(root).entries()) {
    const key = PLACED[index];
    if (!key) continue;
    if (place instanceof Text) place.data = catalog[key];
    else place.placeholder = catalog[key];
  }
};

/** Replaces the form if the document is opened outside a frame, where no page starts it. */
export const showAlone = async (): Promise<void> => {
  const wanted = negotiate(undefined, navigator.languages);
  const language = await loadLanguage(wanted);
  const root = document.getElementById('form');
  if (!root || !language) return;
  const texts = await textsOf(language);
  setDocumentLanguage(document.documentElement, wanted);
  root.textContent = texts['frame.alone'];
  root.hidden = false;
};
