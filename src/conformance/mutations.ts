/**
 * Services that break one rule each: the sandbox, with something between it and the suite. For tests: a check that
 * none of them fails is no check.
 */
import { CLIENT_ROUTES } from '../api/routes.ts';
import type { Ask, Asked, Heard } from './ask.ts';
import { changed } from './requests.ts';

/** A wrong service: what it is wrong about, the checks that must say so, and what it does. */
export type Mutation = { breaks: string; caughtBy: readonly string[]; over: (ask: Ask) => Ask };

type Fields = Record<string, unknown>;

const isRoute = (asked: Asked, route: keyof typeof CLIENT_ROUTES) => asked.path === CLIENT_ROUTES[route];
const isConfirm = (asked: Asked) => isRoute(asked, 'confirm');
const isRetrieve = (asked: Asked) => isRoute(asked, 'retrieve');

const fieldsOf = (text: string | null): Fields | null => {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
};

const inFields = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? { ...value, [name]: undefined } : value;

/** Changes what the service gets to see: the way in which it "does not look". */
const blindTo =
  (change: (asked: Asked) => Asked) =>
  (ask: Ask): Ask =>
  (asked) =>
    ask(change(asked));

const blindToHeader = (name: string, when = (_: Asked) => true) =>
  blindTo((asked) =>
    when(asked)
      ? {
          ...asked,
          headers: Object.fromEntries(Object.entries(asked.headers).filter(([one]) => one !== name)),
        }
      : asked,
  );

/** The body as the service takes it, where it is readable at all. */
const takingBody = (change: (body: Fields, asked: Asked) => Fields) =>
  blindTo((asked) => {
    const body = fieldsOf(asked.body);
    return body === null ? asked : { ...asked, body: JSON.stringify(change(body, asked)) };
  });

/** A field of the body that the service does not look at: what is wrong there becomes right. */
const blindToField = (path: string, right: unknown) =>
  takingBody((body, asked) => (isConfirm(asked) ? changed(body, path, right) : body));

const saying =
  (change: (heard: Heard, asked: Asked) => Heard) =>
  (ask: Ask): Ask =>
  async (asked) =>
    change(await ask(asked), asked);

const sayingView = (change: (view: Fields) => Fields) =>
  saying((heard, asked) => {
    const view = heard.status === 200 && asked.method === 'POST' ? fieldsOf(heard.text) : null;
    return view === null ? heard : withText(heard, JSON.stringify(change(view)));
  });

const sayingError = (change: (error: Fields) => Fields) =>
  saying((heard) => {
    const body = heard.status >= 400 ? fieldsOf(heard.text) : null;
    const error = body === null ? null : fieldsOf(JSON.stringify(body.error));
    return error === null ? heard : withText(heard, JSON.stringify({ error: change(error) }));
  });

const withText = (heard: Heard, text: string): Heard => ({
  ...heard,
  text,
  headers: { ...heard.headers, 'content-length': String(new TextEncoder().encode(text).length) },
});

const withHeader = (name: string, value: string | null, when = (_: Asked) => true) =>
  saying((heard, asked) => {
    if (!when(asked)) return heard;
    const headers = Object.fromEntries(Object.entries(heard.headers).filter(([one]) => one !== name));
    return { ...heard, headers: value === null ? headers : { ...headers, [name]: value } };
  });

const without =
  (name: string) =>
  (view: Fields): Fields =>
    Object.fromEntries(Object.entries(view).filter(([one]) => one !== name));

const KEY = 'Bearer KEY';
/** Takes any key for the right one where `when` says so. */
const takingKey =
  (when: (authorization: string | undefined) => boolean) =>
  (ask: Ask): Ask => {
    let right = KEY;
    return (asked) => {
      const { authorization } = asked.headers;
      if (right === KEY && authorization !== undefined) right = authorization;
      return ask(
        when(authorization) ? { ...asked, headers: { ...asked.headers, authorization: right } } : asked,
      );
    };
  };

/** Takes any client secret for the right one where `when` says so. */
const takingSecret =
  (when: (secret: unknown, right: string, asked: Asked) => boolean) =>
  (ask: Ask): Ask => {
    let right = '';
    return (asked) => {
      const body = fieldsOf(asked.body);
      if (body === null) return ask(asked);
      if (right === '' && typeof body.client_secret === 'string') right = body.client_secret;
      return ask(
        when(body.client_secret, right, asked)
          ? { ...asked, body: JSON.stringify({ ...body, client_secret: right }) }
          : asked,
      );
    };
  };

/** Counts something that nobody may see: each request of `when` raises the attempts that are shown. */
const counting =
  (when: (asked: Asked, heard: Heard) => boolean) =>
  (ask: Ask): Ask => {
    let more = 0;
    return async (asked) => {
      const heard = await ask(asked);
      if (when(asked, heard)) more += 1;
      const view = heard.status === 200 ? fieldsOf(heard.text) : null;
      if (view === null || more === 0) return heard;
      return withText(
        heard,
        JSON.stringify({ ...view, confirmation_attempts: Number(view.confirmation_attempts) + more }),
      );
    };
  };

/** Remembers the answer of retrieve, and gives it where something else ought to be said. */
const answering200 =
  (when: (asked: Asked, heard: Heard, body: Fields) => boolean) =>
  (ask: Ask): Ask => {
    let good: Heard | null = null;
    return async (asked) => {
      const heard = await ask(asked);
      if (isRetrieve(asked) && heard.status === 200) good = heard;
      return good !== null && when(asked, heard, fieldsOf(asked.body) ?? {}) ? good : heard;
    };
  };

const codeOf = (heard: Heard): unknown => {
  const error = fieldsOf(heard.text)?.error;
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
};

/** Says one refusal where another is right. */
const sayingInstead = (
  status: number,
  code: string,
  type: string,
  when: (asked: Asked, heard: Heard) => boolean,
) =>
  saying((heard, asked) =>
    when(asked, heard)
      ? withText({ ...heard, status }, JSON.stringify({ error: { type, code, message: 'No.' } }))
      : heard,
  );

const WRONG_FIELDS: readonly [path: string, right: unknown, ...ids: string[]][] = [
  [
    'amount_total',
    1001,
    'wrong-amount_total-string',
    'wrong-amount_total-number',
    'wrong-amount_total-undefined',
  ],
  ['card', { number: '4000000000000002', exp_month: 12, exp_year: 2031, cvc: '123' }, 'wrong-card-undefined'],
  ['card.number', '4000000000000002', 'wrong-card.number-string', 'wrong-card.number-number'],
  ['card.exp_month', 12, 'wrong-card.exp_month-number', 'wrong-card.exp_month-string'],
  ['card.exp_year', 2031, 'wrong-card.exp_year-number'],
  ['card.cvc', '123', 'wrong-card.cvc-string'],
];

export const MUTATIONS: readonly Mutation[] = [
  { breaks: 'it hides what the form needs', caughtBy: ['view'], over: sayingView(without('amount_total')) },
  {
    breaks: 'it writes amounts as text',
    caughtBy: ['view'],
    over: sayingView((view) => ({ ...view, amount: String(view.amount) })),
  },
  {
    breaks: 'it leaves lines out of the view',
    caughtBy: ['view-whole', 'view-items'],
    over: sayingView(without('items')),
  },
  {
    breaks: 'it tells the browser who buys',
    caughtBy: ['view-private'],
    over: sayingView((view) => ({ ...view, buyer: null })),
  },
  {
    breaks: 'it adds up wrongly',
    caughtBy: ['view-total'],
    over: sayingView((view) => ({ ...view, fee_buyer: 1 })),
  },
  {
    breaks: 'it takes payments of 99 cents',
    caughtBy: ['view-limits'],
    over: sayingView((view) => ({ ...view, amount: 99, amount_total: 99 })),
  },
  {
    breaks: 'it rounds lines down',
    caughtBy: ['view-items'],
    over: sayingView((view) => ({
      ...view,
      items: [{ name: 'Mug', quantity: 0.5, unit_amount: 1001, amount: 500 }],
    })),
  },
  {
    breaks: 'it always says that the lines fit',
    caughtBy: ['view-difference'],
    over: sayingView((view) => ({ ...view, items: [] })),
  },
  {
    breaks: 'its ids have another prefix',
    caughtBy: ['view-id'],
    over: sayingView((view) => ({ ...view, id: 'pi_1' })),
  },
  {
    breaks: 'it counts how often it was read',
    caughtBy: ['retrieve-changes-nothing'],
    over: counting((asked, { status }) => isRetrieve(asked) && status === 200),
  },
  {
    breaks: 'it answers text',
    caughtBy: ['json'],
    over: withHeader('content-type', 'text/html; charset=utf-8'),
  },
  {
    breaks: 'it does not say how long an answer is',
    caughtBy: ['length'],
    over: withHeader('content-length', null),
  },
  { breaks: 'it says a wrong length', caughtBy: ['length'], over: withHeader('content-length', '3') },
  {
    breaks: 'its answers may be stored',
    caughtBy: ['no-store'],
    over: withHeader('cache-control', 'private'),
  },
  {
    breaks: 'every page may read its answers',
    caughtBy: ['no-cors'],
    over: withHeader('access-control-allow-origin', '*', ({ method }) => method === 'POST'),
  },
  {
    breaks: 'every page may call it',
    caughtBy: ['no-preflight'],
    over: withHeader('access-control-allow-headers', 'authorization', ({ method }) => method === 'OPTIONS'),
  },
  {
    breaks: 'it does not ask where a request comes from',
    caughtBy: ['sec-fetch-cross-site', 'sec-fetch-same-site', 'sec-fetch-none'],
    over: blindToHeader('sec-fetch-site'),
  },
  {
    breaks: 'only its retrieve asks where a request comes from',
    caughtBy: ['sec-fetch-cross-site', 'sec-fetch-same-site', 'sec-fetch-none'],
    over: blindToHeader('sec-fetch-site', (asked) => !isRetrieve(asked)),
  },
  {
    breaks: 'it refuses the form itself',
    caughtBy: ['sec-fetch-same-origin'],
    over: blindTo((asked) =>
      asked.headers['sec-fetch-site'] === 'same-origin'
        ? { ...asked, headers: { ...asked.headers, 'sec-fetch-site': 'cross-site' } }
        : asked,
    ),
  },
  { breaks: 'it sets a cookie', caughtBy: ['no-cookies'], over: withHeader('set-cookie', 'a=1') },
  {
    breaks: 'it ignores what it does not know',
    caughtBy: [
      'unknown-field-retrieve',
      'unknown-field-confirm',
      'unknown-field-release',
      'body-before-secret',
    ],
    over: takingBody(without('colour')),
  },
  {
    breaks: 'it ignores what it does not know below',
    caughtBy: [
      'unknown-field-card',
      'unknown-field-billing_details',
      'unknown-field-billing_details.address',
    ],
    over: takingBody(
      (body) => fieldsOf(JSON.stringify(body, (_, value) => inFields(value, 'colour'))) ?? body,
    ),
  },
  {
    breaks: 'it needs no key',
    caughtBy: ['no-key'],
    over: takingKey((authorization) => authorization === undefined),
  },
  {
    breaks: 'it takes any key',
    caughtBy: ['unknown-key', 'key-before-body', 'other-key', 'revoked-key'],
    over: takingKey((authorization) => /^Bearer pk_/.test(authorization ?? '')),
  },
  {
    breaks: 'it takes secret keys from browsers',
    caughtBy: ['secret-key'],
    over: takingKey((authorization) => /sk_live_/.test(authorization ?? '')),
  },
  {
    breaks: 'it takes keys in any scheme',
    caughtBy: ['basic'],
    over: takingKey((authorization) => /^Basic/.test(authorization ?? '')),
  },
  {
    breaks: 'it takes any client secret',
    caughtBy: ['wrong-secret', 'almost-secret'],
    over: takingSecret((secret, right) => typeof secret === 'string' && secret !== right),
  },
  {
    breaks: 'it compares the beginning of a client secret',
    caughtBy: ['almost-secret'],
    over: takingSecret((secret, right) => typeof secret === 'string' && secret.startsWith(right)),
  },
  {
    breaks: 'it needs no client secret',
    caughtBy: ['no-secret'],
    over: takingSecret((secret) => secret === undefined),
  },
  {
    breaks: 'it takes a client secret in whatever form',
    caughtBy: ['secret-type'],
    over: takingSecret((secret) => Array.isArray(secret)),
  },
  {
    breaks: 'it fails where JSON is broken',
    caughtBy: ['broken-json'],
    over: sayingInstead(500, 'internal_error', 'api_error', ({ body }) => body === '{"client_secret":'),
  },
  {
    breaks: 'it fails where a body is no object',
    caughtBy: ['no-object'],
    over: sayingInstead(500, 'internal_error', 'api_error', ({ body }) => body === 'null'),
  },
  {
    breaks: "it takes what another page's form can send",
    caughtBy: ['content-type'],
    over: blindTo((asked) => ({
      ...asked,
      headers: { ...asked.headers, 'content-type': 'application/json' },
    })),
  },
  {
    breaks: 'it reads a body before it knows who sends it',
    caughtBy: ['key-before-body'],
    over: sayingInstead(400, 'validation_error', 'invalid_request_error', ({ body }) => body === '{'),
  },
  {
    breaks: 'it looks for the payment before it has read all',
    caughtBy: ['body-before-secret'],
    over: sayingInstead(
      401,
      'invalid_client_secret',
      'authentication_error',
      ({ body }, heard) => codeOf(heard) === 'validation_error' && /"lg_cs_0{24}"/.test(body ?? ''),
    ),
  },
  {
    breaks: 'it answers to GET',
    caughtBy: ['no-get'],
    over: answering200(({ method }) => method === 'GET'),
  },
  {
    breaks: 'it answers everywhere',
    caughtBy: ['no-route'],
    over: answering200(({ path }) => path.endsWith('no_such_route')),
  },
  {
    breaks: 'it charges less where the form showed less',
    caughtBy: ['total-lower'],
    over: answering200((asked, heard, body) => isLower(asked, heard, body)),
  },
  {
    breaks: 'it charges the total whatever the form showed',
    caughtBy: ['total-lower', 'total-higher', 'total-before-billing'],
    over: answering200((asked, heard) => isConfirm(asked) && heard.status === 409),
  },
  {
    breaks: 'it does not look at the currency',
    caughtBy: ['other-currency'],
    over: takingBody((body, asked) =>
      isConfirm(asked) && (body.currency === 'eur' || body.currency === 'usd')
        ? { ...body, currency: 'usd' }
        : body,
    ),
  },
  {
    breaks: 'it takes any currency',
    caughtBy: ['wrong-currency-string'],
    over: blindToField('currency', 'usd'),
  },
  {
    breaks: 'it counts an attempt that it refuses with 409',
    caughtBy: ['total-lower', 'total-higher', 'other-currency', 'total-before-billing'],
    over: counting((_, { status }) => status === 409),
  },
  {
    breaks: 'it looks at the billing details first',
    caughtBy: ['total-before-billing'],
    over: sayingInstead(
      400,
      'invalid_billing_details',
      'invalid_request_error',
      ({ body }, heard) => heard.status === 409 && /"nobody"/.test(body ?? ''),
    ),
  },
  ...WRONG_FIELDS.map(([path, right, ...ids]) => ({
    breaks: `it does not look at ${path}`,
    caughtBy: ids,
    over: blindToField(path, right),
  })),
  {
    breaks: 'it does not look at billing details',
    caughtBy: [
      'wrong-billing_details-missing',
      'wrong-billing_details.email-nobody',
      'wrong-billing_details.name-',
      'wrong-billing_details.address.line1-',
      'wrong-billing_details.address.country-QQ',
      'wrong-billing_details.address.country-Germany',
    ],
    over: answering200((_, heard) => codeOf(heard) === 'invalid_billing_details'),
  },
  {
    breaks: 'it counts an attempt where billing details are wrong',
    caughtBy: ['wrong-billing_details-missing'],
    over: counting((_, heard) => codeOf(heard) === 'invalid_billing_details'),
  },
  {
    breaks: 'it refuses to release what needs no release',
    caughtBy: ['release-idle'],
    over: sayingInstead(
      400,
      'payment_intent_not_pending',
      'invalid_request_error',
      (asked, { status }) => isRoute(asked, 'release') && status === 200,
    ),
  },
  {
    breaks: 'it says of payments of others that the secret is wrong',
    caughtBy: ['other-key'],
    over: sayingInstead(
      401,
      'invalid_client_secret',
      'authentication_error',
      (_, heard) => codeOf(heard) === 'payment_intent_not_found',
    ),
  },
  {
    breaks: 'it says of a revoked key that there is none',
    caughtBy: ['revoked-key'],
    over: sayingInstead(
      401,
      'invalid_api_key',
      'authentication_error',
      (_, heard) => codeOf(heard) === 'api_key_revoked',
    ),
  },
  {
    breaks: 'it does not say how long to wait',
    caughtBy: ['rate-limit'],
    over: withHeader('retry-after', null),
  },
  {
    breaks: 'it never refuses who asks too often',
    caughtBy: ['rate-limit'],
    over: answering200((_, { status }) => status === 429),
  },
  {
    breaks: 'its errors are texts',
    caughtBy: ['error-form'],
    over: sayingError(without('message')),
  },
  {
    breaks: 'its errors carry numbers for fields',
    caughtBy: ['error-form'],
    over: sayingError((error) => ({ ...error, param: 5 })),
  },
  {
    breaks: 'its errors are of another type than their status',
    caughtBy: ['error-type'],
    over: sayingError((error) => ({ ...error, type: 'api_error' })),
  },
  {
    breaks: 'it repeats what it refuses',
    caughtBy: ['nothing-echoed'],
    over: (ask) => async (asked) => {
      const heard = await ask(asked);
      const body = heard.status >= 400 ? fieldsOf(heard.text) : null;
      if (body === null || typeof body.error !== 'object') return heard;
      return withText(heard, JSON.stringify({ error: { ...body.error, message: `Bad: ${asked.body}` } }));
    },
  },
  {
    breaks: 'it says of a declined card that the service failed',
    caughtBy: ['declined'],
    over: sayingInstead(502, 'provider_error', 'api_error', (_, { status }) => status === 402),
  },
  {
    breaks: 'it counts an attempt twice',
    caughtBy: ['declined', 'paid-once'],
    over: counting((asked, { status }) => isConfirm(asked) && (status === 402 || status === 200)),
  },
  {
    breaks: 'it forgets why the last attempt failed',
    caughtBy: ['declined'],
    over: sayingView((view) => ({ ...view, last_payment_error: null })),
  },
  {
    breaks: 'it never forgets a failed attempt',
    caughtBy: ['released', 'succeeded'],
    over: (ask) => {
      let error: unknown = null;
      return async (asked) => {
        const heard = await ask(asked);
        const view = heard.status === 200 ? fieldsOf(heard.text) : null;
        if (view === null) return heard;
        error = view.last_payment_error ?? error;
        return withText(heard, JSON.stringify({ ...view, last_payment_error: error }));
      };
    },
  },
  {
    breaks: 'it acts on both of two confirms',
    caughtBy: ['paid-once', 'paid-is-paid'],
    over: answering200((asked, heard) => isConfirm(asked) && codeOf(heard) === 'payment_intent_not_pending'),
  },
  {
    breaks: 'it answers a confirm with a payment that waits',
    caughtBy: ['paid-once'],
    over: saying((heard, asked) => {
      const view = isConfirm(asked) && heard.status === 200 ? fieldsOf(heard.text) : null;
      return view === null ? heard : withText(heard, JSON.stringify({ ...view, status: 'pending' }));
    }),
  },
  {
    breaks: 'it does not say when a payment succeeded',
    caughtBy: ['succeeded'],
    over: sayingView((view) => ({ ...view, succeeded_at: null })),
  },
  {
    breaks: 'it looks at the total of a payment that is paid',
    caughtBy: ['status-before-total'],
    over: sayingInstead(
      409,
      'payment_intent_updated',
      'invalid_request_error',
      ({ body }, heard) =>
        codeOf(heard) === 'payment_intent_not_pending' && fieldsOf(body)?.amount_total === 1001,
    ),
  },
  {
    breaks: 'it releases what is paid',
    caughtBy: ['release-paid'],
    over: answering200((asked, heard) => isRoute(asked, 'release') && heard.status === 400),
  },
];

const isLower = (asked: Asked, { status }: Heard, body: Fields): boolean =>
  isConfirm(asked) && status === 409 && Number(body.amount_total) < 1000;
