/** What the page knows and how it learns of it: signals, filled anew whenever the sandbox says that there is news. */
import { effect, signal } from '@preact/signals';
import type { JournalEntry } from '../journal.ts';
import type { MoneyOverTime, Overview, PaymentFacts, PaymentPage } from '../overview.ts';
import type { WebhookDelivery } from '../webhook-delivery.ts';
import type { WebhookEndpoint } from '../webhook-endpoints.ts';
import { get, Refusal } from './ask.ts';

/** The parts of the page, each at `#/<name>`. */
export const VIEWS = ['payments', 'requests', 'webhooks', 'balance', 'cards', 'controls'] as const;
export type View = (typeof VIEWS)[number];

export type DeliveryRow = WebhookDelivery & { type: string | null };

/** Rows of a list that are there at first, and how many more on demand. */
const ROWS = 50;

const isView = (text: string | undefined): text is View => VIEWS.some((view) => view === text);

/** Which part of the page an address names, and which payment in it. */
export const placeIn = (hash: string): { view: View; chosen: string | null } => {
  const [view, chosen] = hash.replace(/^#\/?/, '').split('/');
  return { view: isView(view) ? view : 'payments', chosen: chosen || null };
};

/** What must not get into an address: a card number, a key, a client secret. */
export const isSecret = (text: string): boolean => /\d{13}|lg_cs_|sk_live_/.test(text.replace(/[ -]/g, ''));

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Between two looks, so that a busy sandbox is not kept busy by being looked at, in ms. */
const BREATH = 150;
const RETRY = 1000;

export const createModel = () => {
  const place = signal(placeIn(location.hash));
  const overview = signal<Overview | null>(null);
  const payments = signal<PaymentPage | null>(null);
  const facts = signal<PaymentFacts | null>(null);
  const requests = signal<readonly JournalEntry[]>([]);
  const endpoints = signal<readonly WebhookEndpoint[]>([]);
  const deliveries = signal<readonly DeliveryRow[]>([]);
  const money = signal<readonly MoneyOverTime[] | null>(null);
  const connection = signal<'connecting' | 'live' | 'lost'>('connecting');
  /** What the last act came to. */
  const said = signal<{ text: string; tone: 'plain' | 'bad' } | null>(null);
  const find = signal('');
  const status = signal('');
  const offset = signal(0);
  const rows = signal(ROWS);
  /** Milliseconds on the sandbox's clock; moves once a second. */
  const now = signal(Date.now());

  const list = async <Row>(path: string) => (await get<{ data: Row[] }>(path)).data;

  const lookAtPayments = async (chosen: string | null) => {
    const query = new URLSearchParams({ offset: `${offset.value}`, limit: `${ROWS}` });
    if (find.value && !isSecret(find.value)) query.set('find', find.value);
    if (status.value) query.set('status', status.value);
    const [page, one] = await Promise.all([
      get<PaymentPage>(`overview/payment_intents?${query}`),
      chosen === null
        ? null
        : get<PaymentFacts>(`overview/payment_intents/${encodeURIComponent(chosen)}`).catch(() => null),
    ]);
    payments.value = page;
    if (place.peek().chosen === chosen) facts.value = one;
  };

  const LOOK: Record<View, () => Promise<unknown>> = {
    payments: () => lookAtPayments(place.peek().chosen),
    requests: async () => {
      requests.value = (await list<JournalEntry>(`requests?limit=${rows.value}`)).reverse();
    },
    webhooks: async () => {
      [endpoints.value, deliveries.value] = await Promise.all([
        list<WebhookEndpoint>('webhook_endpoints'),
        list<DeliveryRow>(`webhook_deliveries?limit=${rows.value}`),
      ]);
    },
    balance: async () => {
      money.value = await list<MoneyOverTime>('money');
    },
    cards: async () => undefined,
    controls: async () => undefined,
  };

  /** How far the sandbox's clock is ahead of the browser's, in ms. */
  let ahead = 0;

  /** Looks anew at all that the page shows. */
  const look = async () => {
    const [seen] = await Promise.all([get<Overview>('overview'), LOOK[place.peek().view]()]);
    overview.value = seen;
    ahead = seen.now - Date.now();
    now.value = seen.now;
  };

  const lookAgain = () => {
    void look().catch((problem: unknown) => {
      connection.value = 'lost';
      if (!(problem instanceof Refusal)) reportError(problem);
    });
  };

  /** For as long as the page is there: waits for news and looks. */
  const watch = async () => {
    for (let version = -1; ; ) {
      try {
        const since = version < 0 ? '' : `?since=${version}`;
        version = (await get<{ version: number }>(`changes${since}`)).version;
        await look();
        connection.value = 'live';
        await wait(BREATH);
      } catch {
        connection.value = 'lost';
        version = -1;
        await wait(RETRY);
      }
    }
  };

  const start = () => {
    window.addEventListener('hashchange', () => {
      place.value = placeIn(location.hash);
      rows.value = ROWS;
    });
    // Also at once: what is asked for anew is what these say.
    effect(() => {
      void [place.value, find.value, status.value, offset.value, rows.value];
      lookAgain();
    });
    setInterval(() => {
      now.value = Date.now() + ahead;
    }, 1000);
    void watch();
  };

  /** Does something and says what it came to; `true` if it was done. */
  const act = async (work: () => Promise<string>): Promise<boolean> => {
    try {
      said.value = { text: await work(), tone: 'plain' };
      return true;
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      said.value = { text: problem.message, tone: 'bad' };
      return false;
    }
  };

  return {
    place,
    overview,
    payments,
    facts,
    requests,
    endpoints,
    deliveries,
    money,
    connection,
    said,
    find,
    status,
    offset,
    rows,
    now,
    start,
    act,
    page: ROWS,
  };
};

export type Model = ReturnType<typeof createModel>;
