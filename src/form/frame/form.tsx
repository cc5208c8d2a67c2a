/**
 * The form itself: components, checks, the page's options, and all texts. Hydrates the prerendered form, including what
 * was typed so far, and keeps its elements, so that the focus is not lost. A press made before hydration runs
 * afterwards (`session/payment.ts`).
 */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { hydrate } from 'preact';
import { systemClock } from '../../api/clock/clock.ts';
import type { Money } from '../../api/money.ts';
import type { HandshakeResult } from '../channel/handshake.ts';
import type { Init } from '../channel/read-options.ts';
import { type Catalog, en, type MessageKey } from '../i18n/en.ts';
import { negotiate } from '../i18n/locale.ts';
import type { appearance } from './appearance.ts';
import type { LateComponents } from './components/context.ts';
import { FormRoot } from './components/FormRoot.tsx';
import { keepOptions } from './components/keep-options.ts';
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

/** The displayed placeholders, by key: hydration corrects texts, but not attributes. */
const placeholdersIn = (root: HTMLElement): Partial<Catalog> => {
  const shown = (name: string) => root.querySelector<HTMLInputElement>(`#field-${name}`)?.placeholder ?? '';
  return {
    'placeholder.number': shown('number'),
    'placeholder.expiry': shown('expiry'),
    'placeholder.cvc': shown('cvc'),
    'field.line2.add': shown('line2'),
  };
};

/** Loads the page's fonts. Nothing waits for them; the form is complete without. */
const loadPageFonts = async (
  fonts: unknown,
  load: FirstStage['loadAppearance'],
  view: ReadonlySignal<View>,
  { page, ending }: Offer,
): Promise<void> => {
  const { loadFonts } = await load();
  await loadFonts(fonts, { page, ending: ending.signal, clock: systemClock, view, first: FIRST_VIEW });
};

/** For the first stage, if the document is in another language. */
export { en };

/** Results of the first stage, `main.ts`. */
export type FirstStage = {
  greeting: HandshakeResult;
  /** The options in the greeting; null if they are invalid. */
  init: Init | null;
  /** The options that the form was displayed with. */
  shown: StaticFormOptions;
  /** The language it was displayed in; null if its catalog did not load in time. */
  language: LoadedLanguage | null;
  /** The payment, which may already have put the total on the button. */
  offer: Offer;
  theme: Theme;
  loadAppearance: () => Promise<typeof appearance>;
  typing: Typing;
  /** Adds the styles of the components that are added to the form. */
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
  const isGrouped = signal(false); // like the prerendered form
  const readTheme = () => {
    const { fields, nameField } = document.documentElement.dataset;
    const isMoved = isNameFirst.peek() !== (nameField === 'first');
    if (isMoved) focusWhenShown(fieldAt(document.activeElement, ['name'])); // moving a field removes its focus
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
  await nextTask(); // creating and hydrating the form would be one long task
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
      if (isKnown && root.hidden) setTimeout(() => root.removeAttribute('hidden')); // after rendering
    });
  }
  const formRoot = (
    <FormRoot {...shared} isSandbox={isSandbox} isStatus={isStatus} autoAdvance={autoAdvance} />
  );
  keepOptions(root, () => hydrate(formRoot, root));
  // English first, then the page's language once its texts have loaded.
  if (!language) void words.changeLanguage('en').then(() => words.changeLanguage(init?.locale));
  readTheme(); // a theme that loads later is read when `connect` applies the page's options

  // Check the fields that the buyer left before hydration.
  for (const { name, text, leave } of Object.values(form.fields)) {
    if (text.peek() !== '' && controlOf(name) !== document.activeElement) leave();
  }

  // Only until the client has read the same answer: a later failure must not be shown with that total.
  effect(() => {
    const now = screen.value;
    if (now.screen !== 'form' || now.intent || now.notices.length > 0) earlyTotal.value = null;
  });

  await nextTask();
  await choosing; // the page's text may be legally required: no other button is offered before
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
