/**
 * The fake's frame: does what the form in the iframe does, without its own document. The production code reads the
 * options, fills in and submits the form, makes the payment and notifies the page. Only the press guard is missing,
 * since nothing is visible here. Time stands still unless the test makes something happen or the page waits for a read.
 */
import { signal } from '@preact/signals';
import type { ManualClock } from '../../api/clock/manual-clock.ts';
import type { Money } from '../../api/money.ts';
import { guessCountry } from '../../form/address/countries.ts';
import { collectProblems } from '../../form/appearance/given-value.ts';
import { facesOf } from '../../form/appearance/page-faces.ts';
import { parseAppearance } from '../../form/appearance/parse.ts';
import { parseRules } from '../../form/appearance/rules.ts';
import { substituteFrom } from '../../form/appearance/substitute.ts';
import { entriesFor, TEST_CARDS } from '../../form/card/test-cards.ts';
import { CARD_FIELDS, FIELD_NAMES } from '../../form/channel/field-names.ts';
import { type Init, readInit } from '../../form/channel/read-options.ts';
import { neverAskedIn, presumedKnown } from '../../form/frame/first/known-details.ts';
import { createForm, type FormModel } from '../../form/frame/form/card-form.ts';
import { reportChanges, reportState } from '../../form/frame/merchant/form-events.ts';
import {
  findInvalidKey,
  findInvalidList,
  findMissingDefault,
} from '../../form/frame/merchant/option-problems.ts';
import { followOptions } from '../../form/frame/merchant/options.ts';
import { totalToPay } from '../../form/frame/press/press.ts';
import { beginSession } from '../../form/frame/session/begin-session.ts';
import { offerSession } from '../../form/frame/session/offered.ts';
import { createPageLink, type PageLink } from '../../form/frame/session/page-link.ts';
import { refuseInit } from '../../form/frame/session/refuse-init.ts';
import { createServiceTime, type ServiceTime } from '../../form/frame/session/service-time.ts';
import { FIRST_VIEW, type View } from '../../form/frame/view/form-view.ts';
import { chooseTexts } from '../../form/i18n/translations.ts';
import { PHASE } from '../../form/payment/payment-state.ts';
import type { FakeService } from './fake-service.ts';

export type FakeFrame = {
  /** The buyer fills in the incomplete fields. Throws if the page's options make that impossible. */
  fill(): Promise<void>;
  /** The buyer presses Pay. Resolves when the press has been judged. */
  press(): Promise<void>;
  /** The amount that a press would pay now, or null. */
  payable(): Money | null;
  /** Returns true during a payment attempt whose end the page will be notified of. */
  isPaying(): boolean;
  /** Returns true while the intent is being read, so that nothing can be paid yet. */
  isReading(): boolean;
  /** Names the payment's state, for messages. */
  status(): string;
  close(): void;
};

/** Longer than the form polls before it reports an unknown outcome, in ms (outcomes 2.3). */
const LONGEST = 20 * 60_000;

/** Step in which time is moved, in ms. */
const STEP = 5_000;

/** Moves time while `holds` returns true. */
export const passWhile = async (clock: ManualClock, holds: () => boolean): Promise<void> => {
  for (let moved = 0; holds() && moved < LONGEST; moved += STEP) await clock.advance(STEP);
};

type World = { service: FakeService; clock: ManualClock };

/**
 * Values for the fields other than the card. They fit a US address; elsewhere a postal code that looks unusual is
 * accepted.
 */
const TYPED = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  line1: '12 Orchard Lane',
  city: 'Portland',
  state: 'OR',
  postal_code: '97205',
} as const;

const CARDS = TEST_CARDS[0]?.cards ?? [];

/**
 * Types the first test card that the page accepts, and fills each billing field that the form asks for and that is
 * incomplete.
 */
const fillIn = (form: FormModel, year: number): void => {
  const type = (entries: Readonly<Record<string, string>>) => {
    for (const name of FIELD_NAMES) {
      const text = entries[name];
      const field = form.fields[name];
      if (text !== undefined && form.asked.peek().includes(name) && !field.isComplete.peek())
        field.type(text);
    }
  };
  for (const { number } of CARDS) {
    for (const name of CARD_FIELDS) form.fields[name].type('');
    type(entriesFor(number, year));
    if (form.fields.number.isComplete.peek() && !form.fields.number.problem.peek()) break;
  }
  type(TYPED);
  const missing = form.asked.peek().filter((name) => !form.fields[name].isComplete.peek());
  if (!form.wouldPass.peek()) form.press(); // the first press only queries unusual input; the next one confirms it
  if (missing.length > 0)
    throw new Error(
      `The fake cannot fill in ${missing.join(', ')}. Give valid defaultValues for the country.`,
    );
};

/** Creates the form with the values from the page's `init`. */
const formFor = ({ defaultValues, fields }: Init, { thisMonth }: ServiceTime): FormModel => {
  const { address, ...others } = defaultValues?.billingDetails ?? {};
  const never = neverAskedIn(fields);
  const preferred = ['en-US'];
  return createForm({
    country: address?.country?.toUpperCase() ?? guessCountry(preferred, undefined),
    preferred,
    unasked: { never, known: presumedKnown({ ...others, ...address }, never) },
    thisMonth,
  });
};

const chosen = { own: { value: {} }, button: { value: {} } };

/** Opens the form for an `init` message that the loader posted to the iframe's window with this port. */
export const openFakeFrame = (data: unknown, port: MessagePort, world: World): FakeFrame => {
  const page = createPageLink(port);
  const init = readInit(data);
  const problem = init ? findInvalidList(init) : findInvalidKey(data);
  const time = createServiceTime(world.clock);
  if (!init || problem)
    return refused(problem, createForm({ preferred: [], thisMonth: time.thisMonth }), page);
  const form = formFor(init, time);
  const options = followOptions(init, {
    form,
    words: { choose: async (texts) => chooseTexts(texts, chosen.own, chosen.button) },
    changeLook: async ({ appearance }) => {
      if (appearance === undefined) return [];
      const { problems, rules, darkRules } = parseAppearance(appearance, init.style, facesOf(init.fonts));
      const found = collectProblems();
      for (const [name, given] of Object.entries({ rules, darkRules }))
        parseRules(`appearance.${name}`, given, substituteFrom(init.style), found.report);
      return [...problems, ...found.problems];
    },
    warn: page.warn,
  });
  const missing = findMissingDefault(init, form);
  return missing ? refused(missing, form, page) : offered(init, form, time, options, page, world);
};

const refused = (problem: Parameters<typeof refuseInit>[0], form: FormModel, page: PageLink): FakeFrame => {
  const screen = signal<View>(FIRST_VIEW);
  const { receive } = refuseInit(problem, { form, page, screen });
  page.listen((message) => {
    if (message.type !== 'submit' && message.type !== 'destroy') receive(message);
  });
  return {
    fill: async () => undefined,
    press: async () => undefined,
    payable: () => null,
    isPaying: () => false,
    isReading: () => false,
    status: () => 'refused',
    close: page.close,
  };
};

/** Nothing here is visible or can have the focus. */
const UNSEEN = {
  guard: {
    judge: async () => null,
    isInView: () => true,
    isMeantForPage: () => false,
    focusMovedByPage: () => undefined,
  },
  watch: { mayReturn: () => true, isInterrupted: () => false, leftByPage: () => undefined },
  focusField: () => undefined,
  showButton: () => undefined,
  focusButton: () => undefined,
};

const offered = (
  init: Init,
  form: FormModel,
  time: ServiceTime,
  options: ReturnType<typeof followOptions>,
  page: PageLink,
  { service, clock }: World,
): FakeFrame => {
  const { post } = page;
  const isStatus = init.view === 'status';
  const ending = new AbortController();
  const lifecycle = { online: signal(true), isAwake: () => true, listen: () => undefined };
  const begun = beginSession({
    service: {
      baseUrl: 'https://fake.invalid',
      publishableKey: init.publishableKey,
      fetch: service.fetch,
      onAnswer: time.heard,
    },
    clientSecret: init.clientSecret,
    canReplace: init.fetchClientSecret ?? false,
    askSecret: (anew) => post({ type: 'secret', anew }),
    asksPage: init.beforePay ?? false,
    lifecycle,
    tabs: { locks: undefined, openChannel: () => null },
    network: { diagnose: (send) => send() },
    clock,
    random: () => 0.5,
    onFailure: page.diagnostics.requestFailed,
    onDefect: reportError,
  });
  const isButtonless = signal(init.payButton === 'host');
  const shown = {
    form,
    options,
    page,
    lifecycle,
    isButtonless,
    pressHint: signal(null),
    isInterrupted: signal(false),
    ending,
  };
  const { session, screen, canBePaid, press, receive } = offerSession(shown, begun, isStatus, {
    ...UNSEEN,
    clock,
  });
  reportChanges(form, canBePaid, post);
  reportState(
    (state) => post({ type: 'state', height: 0, ...state }),
    form,
    signal(false),
    session.isAwaitingOutcome,
  );
  const isReading = () => ['opening', 'rereading'].includes(PHASE[session.state.peek().status]);
  // A page that waits for `retrieve()` or `refresh()` can't make anything happen in the meantime, so move time for it.
  const passReading = () => void passWhile(clock, isReading);
  if (isStatus) passReading();
  page.hearSecret(session.receiveSecret);
  page.listen((message) => {
    if (message.type === 'focus' || message.type === 'blur' || message.type === 'destroy') return;
    receive(message);
    if (message.type === 'refresh') passReading();
  });
  return {
    async fill() {
      if (isStatus) throw new Error('A status has nothing to fill in.');
      await form.settle();
      fillIn(form, time.thisMonth().year);
    },
    press: () => press(isButtonless.peek() ? 'host' : 'buyer'),
    payable: () => totalToPay(screen.peek()),
    isPaying: () => session.isPaying.peek(),
    isReading,
    status: () => session.state.peek().status,
    close() {
      ending.abort();
      session.close();
      page.close();
    },
  };
};
