/**
 * Texts that a page chooses: the button's by its type, and its own. Loaded only for such a page, and for the answers of
 * `beforePay`.
 */
import { BUTTON_TYPES } from '../channel/button-types.ts';
import { type ButtonTexts, buttonTexts } from './button-texts.ts';
import { en, type MessageKey } from './en.ts';

/** A merchant's own texts, by key. */
export type Translations = Readonly<Partial<Record<MessageKey, string>>>;

/** A refused text: its key, shortened, and the reason. */
export type Refused = { key: string; why: string };

const LONGEST = 300;
const MOST_KEYS = 1000;
const MOST_REFUSED = 20;

/**
 * The usable texts of a merchant's `translations` (`{key: text}`), and the reasons why the others are refused. Never
 * throws. A text is refused, and the form keeps its own, if the text
 *
 * - is for an unknown key,
 * - is not a string of 1 to 300 characters with a letter or a placeholder,
 * - has control or invisible characters, or so many marks on one letter that they cover others,
 * - has other `{placeholders}` than the form's own text: the button must show the amount,
 * - has digits or currency signs beside an amount of the form: the button must show one price, the real one.
 *
 * Words about a price ("free", "a year") can't be detected, so the button shows the amount apart from the text
 * (`frame/view/pay-label.ts`).
 */
export const parseTranslations = (
  input: unknown,
): {
  translations: Translations;
  refused: readonly Refused[];
} => {
  const given = entriesOf(input);
  if (!given) {
    const why = `Expected an object of up to ${MOST_KEYS} texts by key, such as {"pay": "Buy for {amount}"}.`;
    return { translations: {}, refused: [{ key: 'translations', why }] };
  }
  const translations: Partial<Record<MessageKey, string>> = {};
  const refused: Refused[] = [];
  for (const [key, text] of given) {
    const why = problemOfText(key, text);
    if (why === null && isMessageKey(key) && typeof text === 'string') translations[key] = text.trim();
    else if (why !== null && refused.length < MOST_REFUSED) refused.push({ key: key.slice(0, 60), why });
  }
  return { translations, refused };
};

const isMessageKey = (key: string): key is MessageKey => Object.hasOwn(en, key);

const entriesOf = (input: unknown): [string, unknown][] | null => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  try {
    const entries = Object.entries(input);
    return entries.length <= MOST_KEYS ? entries : null;
  } catch {
    return null; // a getter threw
  }
};

/** The texts that a page chose, if any. */
export type ChosenTexts = { translations?: unknown; buttonType?: string | undefined };

/**
 * Applies the page's choices, and skips missing or unusable ones. Returns the unusable ones, by option. An unknown
 * button type counts as not chosen.
 */
export const chooseTexts = (
  { translations, buttonType }: ChosenTexts,
  own: { value: Translations },
  button: { value: ButtonTexts },
): readonly Refused[] => {
  const refused: Refused[] = [];
  if (translations !== undefined) {
    const parsed = parseTranslations(translations);
    own.value = parsed.translations;
    for (const { key, why } of parsed.refused) refused.push({ key: `translations.${key}`, why });
  }
  if (buttonType) {
    const texts = buttonTexts(buttonType);
    if (texts) button.value = texts;
    else refused.push({ key: 'buttonType', why: `Expected one of these: ${BUTTON_TYPES.join(', ')}.` });
  }
  return refused;
};

/** Invisible characters, except those that some scripts need: the soft hyphen and joiners. */
const INVISIBLE =
  /(?![\u00ad\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** The reason why a text can't replace the form's own text of this key, or null. */
export const problemOfText = (key: string, text: unknown): string | null => {
  if (!isMessageKey(key)) return 'The form has no text with this key.';
  if (typeof text !== 'string') return `Expected a text, got ${text === null ? 'null' : typeof text}.`;
  if (text.length > LONGEST) return `Expected at most ${LONGEST} characters, got ${text.length}.`;
  if (INVISIBLE.test(text)) return 'Expected no control characters, line breaks or invisible characters.';
  if (/\p{M}{5}/u.test(text)) return 'Expected no more than four marks on one letter.';
  const placeholders = placeholdersIn(en[key]);
  if (placeholdersIn(text).join() !== placeholders.join()) {
    const expected = placeholders.map((name) => `{${name}}`).join(', ') || 'none';
    return `Expected the same placeholders as in the form's own text, each once: ${expected}.`;
  }
  const rest = text.replace(PLACEHOLDER, '');
  if (placeholders.length === 0 && !/\p{L}/u.test(rest)) return 'Expected a text with letters.';
  const isPrice = placeholders.length > 0 || /^(pay\b|total$|summary\.|success\.)/.test(key);
  return isPrice && /[\p{N}\p{Sc}]/u.test(rest)
    ? 'Expected no digits and no currency signs beside the amount that the form fills in.'
    : null;
};

const PLACEHOLDER = /\{(\w+)\}/g;

const placeholdersIn = (text: string) => [...text.matchAll(PLACEHOLDER)].map(([, name]) => name).sort();
