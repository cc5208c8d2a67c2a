/**
 * The form itself: components, checks, the page's options, and every sentence. Hydrates the prerendered form with what was typed
 * meanwhile and keeps its elements, so that the focus is not lost. A press that came before it is carried out then (`session/payment.ts`).
 */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { hydrate } from 'preact';
import type { Money } from '../../api/money.ts';
import { systemClock } from '../../clock/clock.ts';
import type { HandshakeResult } from '../channel/handshake.ts';
import type { Init } from '../channel/read-options.ts';
import { type Catalog, en, type MessageKey } from '../i18n/en.ts';
import { negotiate } from '../i18n/locale.ts';
import type { appearance } from './appearance.ts';
import type { LateComponents } from './components/context.ts';
import { FormRoot } from './components/FormRoot.tsx';
import { components } from './components/late.ts';
import { controlOf, fieldAt } from './first/controls.ts';
import type { LoadedLanguage } from './first/language.ts';
import { nextTask } from './first/next-task.ts';
import type { StaticFormOptions } from './first/static-form.ts';
import type { Theme } from './first/theme.ts';
import type { Typing } from './first/typing.ts';
import { createForm } from './form/card-form.ts';
import { focusWhenShown } from './form/focus-when-shown.ts';
import { followFields } from './form/read-fields.ts';
import type { LookChanges } from './merchant/options.ts';
import { connect, type FormConnection } from './session/connect.ts';
import { endDrawing, type Offer } from './session/payment.ts';
import lateStyles from './styles/late.css?inline';
import { FIRST_VIEW, offeredView, type View } from './view/form-view.ts';
import { createWords } from './view/words.ts';

/** Placeholders by key, as they are shown: hydration corrects texts, but no attributes. */
const placeholdersIn = (root: HTMLElement): Partial<Catalog> => {
  const shown = (name: string) => root.querySelector<HTMLInputElement>(`#field-${name}`)?.placeholder ?? '';
  return {
    'placeholder.number': shown('number'),
    'placeholder.expiry': shown('expiry'),
    'placeholder.cvc': shown('cvc'),
    'field.line2.add': shown('line2'),
  };
};

/** Nothing waits for the page's fonts, and a form without them is whole. */
const loadPageFonts = async (
  fonts: unknown,
  load: FirstStage['loadAppearance'],
  view: ReadonlySignal<View>,
  { page, ending }: Offer,
): Promise<void> => {
  const { loadFonts } = await load();
  await loadFonts(fonts, { page, ending: ending.signal, clock: systemClock, view, first: FIRST_VIEW });
};

/** For the first stage in a document of another language. */
export { en };

/** What `main.ts` found out and started. */
export type FirstStage = {
  greeting: HandshakeResult;
  /** The options in it; null if they cannot be used. */
  init: Init | null;
  /** The options the form was shown with. */
  shown: StaticFormOptions;
  /** The language it was shown in; null if its catalog has not loaded in time. */
  language: LoadedLanguage | null;
  /** The payment, with the total on the button if it is there already. */
  offer: Offer;
  theme: Theme;
  loadAppearance: () => Promise<typeof appearance>;
  typing: Typing;
  /** Adds the styles of what these components add to the form. */
  adoptStyles: (rules: string) => void;
};

/** Hydrates the form below `root` and connects it to the page. */
export const hydrateForm = async (
  root: HTMLElement,
  { greeting, init, shown, language, offer, theme, loadAppearance, typing, adoptStyles }: FirstStage,
): Promise<void> => {
  const words = createWords(
    navigator.languages,
    document.documentElement,
    language ?? { catalog: { ...en, ...placeholdersIn(root) }, negotiated: negotiate('en', []) },
  );
  const choosing = init && words.choose(init);
  const isNameFirst = signal(shown.isNameFirst);
  const form = createForm({
    country: shown.country,
    preferred: navigator.languages,
    unasked: { never: shown.never, known: shown.known },
    locale: () => words.negotiated.value.locale,
    isNameFirst: () => isNameFirst.value,
    thisMonth: offer.time.thisMonth,
  });
  const connection = signal<FormConnection | null>(null);
  const first = signal(FIRST_VIEW);
  const screen = computed(() => connection.value?.view.value ?? first.value);
  const actions = computed(() => connection.value?.actions ?? null);
  const late = signal<LateComponents | null>(null);
  const pressHint = signal<MessageKey | null>(null);
  const isInterrupted = signal(false);
  const isGrouped = signal(false); // at first, since the prerendered form is not
  const readTheme = () => {
    const { fields, nameField } = document.documentElement.dataset;
    const isMoved = isNameFirst.peek() !== (nameField === 'first');
    if (isMoved) focusWhenShown(fieldAt(document.activeElement, ['name'])); // a field that moves loses the focus
    isGrouped.value = fields === 'grouped';
    isNameFirst.value = nameField === 'first';
  };
  effect(() => {
    document.title = words.say('frame.title');
  });
  const { isSandbox, isStatus, autoAdvance } = shown;
  const { isButtonless } = offer;
  const earlyTotal = signal<Money | null>(null);
  const shared = {
    form,
    words,
    screen,
    guard: offer.guard,
    actions,
    late,
    pressHint,
    isInterrupted,
    isGrouped,
    isNameFirst,
    isButtonless,
    earlyTotal,
  };

  adoptStyles(lateStyles);
  await nextTask(); // creating the form and hydrating it would be one long task
  followFields(form, typing, () => {
    const now = screen.peek();
    return now.screen === 'form' && !now.locked;
  });
  const { total, isOffered } = endDrawing(offer);
  earlyTotal.value = total;
  if (total && isOffered) first.value = offeredView(total);
  if (isStatus) {
    root.replaceChildren(); // the prerendered form
    effect(() => {
      const isKnown = late.value && screen.value !== FIRST_VIEW;
      if (isKnown && root.hidden) setTimeout(() => root.removeAttribute('hidden')); // once it is rendered
    });
  }
  hydrate(<FormRoot {...shared} isSandbox={isSandbox} isStatus={isStatus} autoAdvance={autoAdvance} />, root);
  // English at once, and the language that the page asked for once its texts are here.
  if (!language) void words.changeLanguage('en').then(() => words.changeLanguage(init?.locale));
  readTheme(); // a theme that comes later is read when `connect` applies the page's options

  // Fields the buyer left before hydration are checked now.
  for (const { name, text, leave } of Object.values(form.fields)) {
    if (text.peek() !== '' && controlOf(name) !== document.activeElement) leave();
  }

  // Only until the client has read the same answer: what a later failure shows must not have that total beside it.
  effect(() => {
    const now = screen.value;
    if (now.screen !== 'form' || now.intent || now.notices.length > 0) earlyTotal.value = null;
  });

  await nextTask();
  await choosing; // a page's words may be those that the law asks for: no other button is offered
  const changeLook = async ({ locale, ...look }: LookChanges) => {
    await Promise.all([locale === undefined ? null : words.changeLanguage(locale), theme.apply(look)]);
    readTheme();
    return theme.problems();
  };
  if (init?.fonts) loadPageFonts(init.fonts, loadAppearance, screen, offer).catch(() => {});
  if (init?.addressLookup)
    import('./address-suggestions.ts')
      .then((script) => script.suggestAddresses(shared, offer))
      .catch(() => {});
  connection.value = connect(greeting, init, {
    form,
    pressHint,
    isInterrupted,
    words,
    offer,
    changeLook,
  });
  late.value = components;
};
