import { en, type MessageKey } from './en.ts';

/** A merchant's own words for sentences of the form, by the form's names for them. */
export type Translations = Readonly<Partial<Record<MessageKey, string>>>;

/** A text that was not taken: its key, shortened, and what was expected. */
export type Refused = { key: string; why: string };

const LONGEST = 300;
const MOST_KEYS = 1000;
const MOST_REFUSED = 20;

/**
 * Of what a merchant gave as `translations` (`{key: text}`) the texts that can stand in the form, and why the
 * others cannot; never throws. A text is refused, and the form's own words stay, if it
 *
 * - is for a key that the form does not know,
 * - is no string of 1 to 300 characters with a letter or a place in it,
 * - has control or invisible characters, or marks piled on a letter until they paint over its neighbours,
 * - has other `{places}` than the form's own sentence: a button that does not say the amount is none,
 * - has figures or signs of money beside an amount of ours: on the button stands one price, the true one.
 *
 * What words say of a price ("free", "a year") cannot be judged: the button shows the amount apart from them
 * (`frame/view/pay-label.ts`).
 */
export function parseTranslations(input: unknown): {
  translations: Translations;
  refused: readonly Refused[];
} {
  const given = entriesOf(input);
  if (!given) {
    const why = `Expected an object of up to ${MOST_KEYS} texts by key, such as {"pay": "Buy for {amount}"}.`;
    return { translations: {}, refused: [{ key: 'translations', why }] };
  }
  const translations: Partial<Record<MessageKey, string>> = {};
  const refused: Refused[] = [];
  for (const [key, text] of given) {
    const why = problemOf(key, text);
    if (why === null && isMessageKey(key) && typeof text === 'string') translations[key] = text.trim();
    else if (why !== null && refused.length < MOST_REFUSED) refused.push({ key: key.slice(0, 60), why });
  }
  return { translations, refused };
}

function entriesOf(input: unknown): [string, unknown][] | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  try {
    const entries = Object.entries(input);
    return entries.length <= MOST_KEYS ? entries : null;
  } catch {
    return null; // a getter threw
  }
}

/** Of the characters nobody sees those that writing needs: soft hyphen, and joiners of letters. */
const UNSEEN =
  /(?![\u00ad\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

function problemOf(key: string, text: unknown): string | null {
  if (!isMessageKey(key)) return 'The form has no sentence of this name.';
  if (typeof text !== 'string') return `Expected a text, got ${text === null ? 'null' : typeof text}.`;
  if (text.length > LONGEST) return `Expected at most ${LONGEST} characters, got ${text.length}.`;
  if (UNSEEN.test(text))
    return 'Expected no control characters, line breaks or characters that cannot be seen.';
  if (/\p{M}{5}/u.test(text)) return 'Expected no more than four marks on one letter.';
  const places = placesIn(en[key]);
  if (placesIn(text).join() !== places.join()) {
    const expected = places.map((place) => `{${place}}`).join(', ') || 'none';
    return `Expected the same places as in the form's own sentence, each once: ${expected}.`;
  }
  const besides = text.replace(PLACE, '');
  if (places.length === 0 && !/\p{L}/u.test(besides)) return 'Expected a text with letters.';
  const isPrice = places.length > 0 || /^(pay\b|total$|summary\.|success\.)/.test(key);
  return isPrice && /[\p{N}\p{Sc}]/u.test(besides)
    ? 'Expected no figures and no signs of money beside those that the form fills in.'
    : null;
}

const PLACE = /\{(\w+)\}/g;

const placesIn = (text: string) => [...text.matchAll(PLACE)].map(([, name]) => name).sort();

const isMessageKey = (key: string): key is MessageKey => Object.hasOwn(en, key);
