/** The page's state as signals, reloaded from the control routes whenever the sandbox reports a change. */
import { effect, signal } from '@preact/signals';
import type { BalanceOverTime, Overview, PaymentDetails, PaymentPage } from '../service/control/overview.ts';
import type { BrowserReport } from '../service/core/report-log.ts';
import type { RequestLogEntry } from '../service/core/request-log.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../service/store/records.ts';
import { ControlError, get, post, TOKEN_REQUIRED } from './control-api.ts';
import { type HashRoute, type PageName, parseHash } from './parse-hash.ts';

export type CreatedPayment = { payment_intent: { id: string }; client_secret: string };

export type DeliveryRow = WebhookDelivery & {
  /** Null if the sandbox no longer keeps the event. */
  type: string | null;
  payment_intent: string | null;
  body: string | null;
};

/** The initial number of rows of a list, and the page size of the payments. */
const PAGE_SIZE = 50;

/**
 * Returns true for text that must not get into a URL, because logs keep URLs: a card number, a secret key, a client
 * secret.
 */
export const isSecret = (text: string): boolean => /\d{13}|lg_cs_|sk_live_/.test(text.replace(/[ -]/g, ''));

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Minimum time between two refreshes, in ms, so that the inspector does not slow down a busy sandbox. */
const REFRESH_PAUSE = 150;
const RECONNECT_DELAY = 1000;
/** How long the result of an action is shown, in ms. An error stays until the next action. */
const TOAST_DURATION = 6000;

/** The page's state. */
const createState = () => ({
  route: signal(parseHash(location.hash)),
  overview: signal<Overview | null>(null),
  payments: signal<PaymentPage | null>(null),
  facts: signal<PaymentDetails | null>(null),
  /** The payment to compare the selected one with. */
  otherFacts: signal<PaymentDetails | null>(null),
  /** The latest payment created here. */
  created: signal<CreatedPayment | null>(null),
  /** The id of the payment whose form is open. */
  checkoutOf: signal<string | null>(null),
  requests: signal<readonly RequestLogEntry[]>([]),
  /** Show only failed requests or deliveries. */
  failedOnly: signal(false),
  /** Browsers' violation reports, newest first; `null` if the sandbox collects none. */
  reports: signal<readonly BrowserReport[] | null>([]),
  endpoints: signal<readonly WebhookEndpoint[]>([]),
  deliveries: signal<readonly DeliveryRow[]>([]),
  money: signal<readonly BalanceOverTime[] | null>(null),
  connection: signal<'connecting' | 'live' | 'lost' | 'locked'>('connecting'),
  /** The result of the last action, shown as a toast. */
  toast: signal<{ text: string; tone: 'plain' | 'bad' } | null>(null),
  searchText: signal(''),
  status: signal(''),
  /** Include the playground's payments that nobody has tried to pay. */
  untouched: signal(false),
  offset: signal(0),
  rowLimit: signal(PAGE_SIZE),
  /** Milliseconds on the sandbox's clock; updated once a second. */
  now: signal(Date.now()),
});

type State = ReturnType<typeof createState>;

const getList = async <Row>(path: string) => (await get<{ data: Row[] }>(path)).data;

const detailsOf = async (id: string | null) =>
  id === null
    ? null
    : get<PaymentDetails>(`overview/payment_intents/${encodeURIComponent(id)}`).catch(() => null);

/** The query of a list. Omits search text that looks like a secret. */
const searchOf = (text: string, others: Readonly<Record<string, string>>): URLSearchParams =>
  new URLSearchParams({ ...others, ...(text && !isSecret(text) ? { find: text } : {}) });

const loadPayments = async (
  { payments, facts, otherFacts, route, searchText, status, untouched, offset }: State,
  { paymentId, otherId }: HashRoute,
) => {
  const query = searchOf(searchText.value, { offset: `${offset.value}`, limit: `${PAGE_SIZE}` });
  if (untouched.value) query.set('untouched', 'true');
  if (status.value) query.set('status', status.value);
  const [page, payment, other] = await Promise.all([
    get<PaymentPage>(`overview/payment_intents?${query}`),
    detailsOf(paymentId),
    detailsOf(otherId),
  ]);
  payments.value = page;
  if (route.peek().paymentId === paymentId) facts.value = payment;
  if (route.peek().otherId === otherId) otherFacts.value = other;
};

const filterOf = ({ searchText, failedOnly, rowLimit }: State): URLSearchParams =>
  searchOf(searchText.value, { limit: `${rowLimit.value}`, failed: `${failedOnly.value}` });

const loadersOf = (state: State): Record<PageName, () => Promise<unknown>> => ({
  payments: () => loadPayments(state, state.route.peek()),
  requests: async () => {
    state.requests.value = (await getList<RequestLogEntry>(`requests?${filterOf(state)}`)).reverse();
  },
  webhooks: async () => {
    [state.endpoints.value, state.deliveries.value] = await Promise.all([
      getList<WebhookEndpoint>('webhook_endpoints'),
      getList<DeliveryRow>(`webhook_deliveries?${filterOf(state)}`),
    ]);
  },
  balance: async () => {
    state.money.value = await getList<BalanceOverTime>('money');
  },
  cards: async () => undefined,
  faults: async () => undefined,
  reports: async () => {
    state.reports.value = (await get<{ data: BrowserReport[] | null }>('reports')).data?.reverse() ?? null;
  },
  controls: async () => undefined,
});

/** `locked`: the sandbox answers but requires the control token. */
const connectionAfter = (problem: unknown) =>
  problem instanceof ControlError && problem.code === TOKEN_REQUIRED ? 'locked' : 'lost';

/** Keeps the page up to date while it is open. */
const followSandbox = (state: State): void => {
  const { route, overview, connection, searchText, status, untouched, failedOnly, offset, rowLimit, now } =
    state;
  const load = loadersOf(state);

  /** How far the sandbox's clock is ahead of the browser's, in ms. */
  let clockOffset = 0;

  /** Fetches the overview and the data of the current view. */
  const refresh = async () => {
    const [latest] = await Promise.all([get<Overview>('overview'), load[route.peek().view]()]);
    overview.value = latest;
    clockOffset = latest.now - Date.now();
    now.value = latest.now;
  };

  const refreshInBackground = () => {
    void refresh().catch((problem: unknown) => {
      connection.value = connectionAfter(problem);
      if (!(problem instanceof ControlError)) reportError(problem);
    });
  };

  /** Runs while the page is open: long-polls for the next change, then refreshes. */
  const followChanges = async () => {
    for (let version = -1; ; ) {
      try {
        const since = version < 0 ? '' : `?since=${version}`;
        version = (await get<{ version: number }>(`changes${since}`)).version;
        await refresh();
        connection.value = 'live';
        await wait(REFRESH_PAUSE);
      } catch (problem) {
        connection.value = connectionAfter(problem);
        version = -1;
        await wait(RECONNECT_DELAY);
      }
    }
  };

  window.addEventListener('hashchange', () => {
    const { view } = route.peek();
    route.value = parseHash(location.hash);
    if (route.value.view !== view) [searchText.value, failedOnly.value] = ['', false]; // each part has its own search
    rowLimit.value = PAGE_SIZE;
  });
  effect(() => {
    // Each of these changes what is shown, but a refresh reads only those of its own view, so subscribe to all.
    void [
      route.value,
      searchText.value,
      status.value,
      untouched.value,
      failedOnly.value,
      offset.value,
      rowLimit.value,
    ];
    refreshInBackground();
  });
  setInterval(() => {
    now.value = Date.now() + clockOffset;
  }, 1000);
  void followChanges();
};

/** Runs an action and shows its result, or the sandbox's refusal, as a toast. */
const runAction = async ({ toast }: State, action: () => Promise<string>): Promise<void> => {
  try {
    const done = { text: await action(), tone: 'plain' } as const;
    toast.value = done;
    // Remove the toast before it covers the form, where a covered button does not pay.
    setTimeout(() => {
      if (toast.value === done) toast.value = null;
    }, TOAST_DURATION);
  } catch (problem) {
    if (!(problem instanceof ControlError)) throw problem;
    toast.value = { text: problem.message, tone: 'bad' };
  }
};

/** Creates a test payment as a merchant's server would, and opens its form. For `runAction`. */
const create = async (
  { created, checkoutOf }: State,
  order: { amount?: number; currency?: string },
): Promise<string> => {
  created.value = await post<CreatedPayment>('payment_intents', order);
  const { id } = created.value.payment_intent;
  checkoutOf.value = id;
  location.hash = `#/payments/${id}`;
  return 'Created a test payment. Pay it in the form.';
};

export const createInspector = () => {
  const state = createState();
  return {
    ...state,
    pageSize: PAGE_SIZE,
    start: () => followSandbox(state),
    runAction: (action: () => Promise<string>) => runAction(state, action),
    create: (order: { amount?: number; currency?: string }) => create(state, order),
  };
};

export type InspectorModel = ReturnType<typeof createInspector>;
