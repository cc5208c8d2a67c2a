/**
 * What the merchant's page may ask of the form besides paying, and what it hears of the buyer's way through it: names
 * of fields, never what is in them. Where the page brings the focus to a field, the guard is told: a press that follows
 * must be the buyer's own.
 */
import { effect, type Signal, signal } from '@preact/signals';
import { allowedAmong, guessCountry } from '../../address/countries.ts';
import { FIELD_NAMES, type FieldName, type Place, placeOf } from '../../channel/field-names.ts';
import type { ContainerClass, Diagnosis, FrameMessage, HostMessage, Init } from '../../channel/messages.ts';
import { fieldAt, focusField } from '../first/controls.ts';
import { fieldsOf } from '../first/fields.ts';
import { tellState } from '../first/frame-state.ts';
import type { CardForm } from '../form/card-form.ts';
import type { Guard } from '../press/guard.ts';
import type { View } from '../view/view.ts';
import type { Words } from '../view/words.ts';
import type { FocusWatch } from './focus-watch.ts';
import { misfitOf, neverAskedIn } from './option-problems.ts';

type Update = Extract<HostMessage, { type: 'update' }>;

/** As many entries as a page is told of, the latest. */
const MOST_KEPT = 99;

/** Keeps what the page was told, without any detail but codes and hints. `now` in monotonic ms. */
export const createLog = (now: () => number) => {
  const openedAt = now();
  let entries: readonly Diagnosis[] = [{ at: 0, event: 'opened' }];
  return {
    note(message: FrameMessage) {
      if (message.type === 'state' || message.type === 'diagnostics') return;
      const what = wordFor(message);
      const entry = { at: Math.round(now() - openedAt), event: message.type };
      entries = [...entries, what === null ? entry : { ...entry, what }].slice(-MOST_KEPT);
    },
    entries: () => [...entries],
  };
};

/** A code or a word of ours; the service's own sentences may name a buyer. */
const wordFor = (message: FrameMessage): string | null => {
  switch (message.type) {
    case 'decline':
    case 'error':
      return message.error.code;
    case 'result':
      return message.result.outcome;
    case 'warning':
      return `${message.about}: ${message.hint}`.slice(0, 500);
    default:
      return null;
  }
};

const FIXED = ['publishableKey', 'clientSecret', 'payButton', 'defaultValues', 'fields'] as const;

const TAKEN =
  'focus() was refused: the page took the focus from a card field, and the buyer has done nothing in the form since. Call it again after that, or leave the focus to the buyer.';

const CANNOT = 'update() cannot change it: unmount(), then mount() anew.';

type Parts = {
  form: CardForm;
  words: Words;
  guard: Guard;
  watch: FocusWatch;
  screen: Signal<View>;
  /** Fields that are not asked for. */
  hidden: Signal<readonly FieldName[]>;
  post(message: FrameMessage): void;
  /** Not the whole `init`: that holds the client secret. */
  options: Wishes;
};

/** Of `init` what this file follows. */
export type Wishes = Pick<
  Init,
  'allowedCountries' | 'acceptedBrands' | 'translations' | 'readOnly' | 'defaultValues' | 'fields'
>;

/** Follows the page's options and orders. Nothing here can pay. */
export const createPage = ({ form, words, guard, watch, screen, hidden, post, options }: Parts) => {
  const readOnly = signal(false);
  const warned = new Set<string>();

  const warn = (about: string, hint: string) => {
    const words = `${about}: ${hint}`;
    if (warned.has(words)) return;
    warned.add(words);
    post({ type: 'warning', about: about.slice(0, 100), hint: hint.slice(0, 500) });
  };

  const limit = (countries: readonly string[] | undefined) => {
    const allowed = allowedAmong(countries);
    form.allowCountries(allowed, guessCountry(navigator.languages, allowed));
  };

  let turn = 0;
  /** What reads a page's own words is fetched where there are any. */
  const reword = async (translations: unknown) => {
    turn += 1;
    const mine = turn;
    const reader = await import('../../i18n/translations.ts').catch(() => null);
    if (mine !== turn) return; // a later wish won
    if (!reader) return warn('translations', 'They cannot be read: a script of the form did not load.');
    const { translations: read, refused } = reader.parseTranslations(translations);
    words.reword(read);
    for (const { key, why } of refused) warn(`translations.${key}`, why);
  };

  const fillIn = () => form.fillIn(options.defaultValues?.billingDetails ?? {});

  const follow = ({
    allowedCountries,
    acceptedBrands,
    translations,
    readOnly: isReadOnly,
  }: Omit<Update, 'type'>) => {
    if (translations !== undefined) void reword(translations);
    if (isReadOnly !== undefined) readOnly.value = isReadOnly;
    if (acceptedBrands) form.acceptBrands(acceptedBrands);
    if (allowedCountries) limit(allowedCountries);
  };

  limit(options.allowedCountries);
  fillIn();
  follow({ ...options, allowedCountries: undefined });

  // Who leaves a field out and gives what a country does not take must not keep the buyer from paying.
  effect(() => {
    for (const option of neverAskedIn(options.fields)) {
      const names = fieldsOf([option]).filter((name) => hidden.peek().includes(name));
      if (!names.some((name) => form.asked.value.includes(name) && form.fields[name].problem.value)) continue;
      hidden.value = hidden.peek().filter((name) => !names.includes(name));
      warn(
        `fields.billingDetails.${option}`,
        'What defaultValues gives cannot be sent, so the buyer is asked.',
      );
    }
  });

  return {
    warn,
    readOnly,

    /** Follows an update; a list that cannot be followed leaves the one before in force. */
    update(message: Update) {
      for (const name of FIXED) if (message[name] !== undefined) warn(name, CANNOT);
      const { option, why } = misfitOf(message) ?? { option: '', why: '' };
      if (option) warn(option, why);
      follow(option ? { ...message, allowedCountries: undefined, acceptedBrands: undefined } : message);
    },

    focus(wanted: FieldName | undefined) {
      const field = wanted ?? form.asked.peek().find((name) => !form.fields[name].isComplete.peek());
      if (!field) return;
      if (placeOf(field) === 'card' && !watch.mayReturn()) return warn('focus', TAKEN);
      guard.steered();
      focusField(field);
    },

    blur() {
      const { activeElement } = document;
      watch.blurred();
      if (activeElement instanceof HTMLElement) activeElement.blur();
    },

    clear() {
      const now = screen.peek();
      if (now.screen !== 'form' || (now.locked && !readOnly.peek())) return;
      form.clearCard();
      for (const name of FIELD_NAMES) if (name !== 'country') form.fields[name].type('');
      fillIn();
    },
  };
};

/** Where an event happened, as the page may know it. */
const placeAt = (target: EventTarget | null): Place | undefined => {
  const field = fieldAt(target, FIELD_NAMES);
  return field && placeOf(field);
};

/** Tells the page of the buyer's way from place to place, until the signal. */
export const tellTheWay = (
  post: (message: FrameMessage) => void,
  signal: AbortSignal,
  focused: Signal<boolean>,
) => {
  type Move = Pick<FocusEvent, 'target' | 'relatedTarget'>;
  const came = ({ target, relatedTarget }: Move) => {
    focused.value = true;
    const field = placeAt(target);
    if (field && field !== placeAt(relatedTarget)) post({ type: 'focus', field });
  };
  const left = ({ target, relatedTarget }: Move) => {
    focused.value = relatedTarget !== null;
    const field = placeAt(target);
    if (field && field !== placeAt(relatedTarget)) post({ type: 'blur', field });
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && event.isTrusted && !event.isComposing) post({ type: 'escape' });
  };
  document.addEventListener('focusin', came, { signal });
  document.addEventListener('focusout', left, { signal });
  document.addEventListener('keydown', pressed, { signal });
  // Somebody types already.
  const { activeElement } = document;
  if (document.hasFocus() && activeElement !== document.body) {
    came({ target: activeElement, relatedTarget: null });
  }
};

/** Tells the page how the form is, as classes for its container, at once and whenever that changes. */
export const tellTheState = (
  post: (message: FrameMessage) => void,
  form: CardForm,
  focused: Signal<boolean>,
  inFlight: () => boolean,
) => {
  effect(() => {
    const is: Readonly<Record<ContainerClass, boolean>> = {
      'CardForm--focus': focused.value,
      'CardForm--invalid': form.asked.value.some((name) => form.fields[name].problem.value !== null),
      'CardForm--complete': form.isComplete.value,
      'CardForm--empty': form.isEmpty.value,
    };
    const classes = CONTAINER_CLASSES.filter((name) => is[name]);
    tellState(post, { classes, sent: inFlight() });
  });
};

const CONTAINER_CLASSES: readonly ContainerClass[] = [
  'CardForm--focus',
  'CardForm--invalid',
  'CardForm--complete',
  'CardForm--empty',
];
