/**
 * Opens a release's form before buyers get it. The files come from the real server; the read of the payment is answered
 * here, so that a release can be tried without a payment.
 */
import { STATIC_ROUTES } from '../../api/routes.ts';
import { launch, type ProbeOptions, type ProbeTools, probeIn } from './probe.ts';

export type GateOptions = Pick<
  ProbeOptions,
  'origin' | 'executablePath' | 'timeout' | 'output' | 'acceptsCertificates'
> & {
  /** The server that answers instead of that of `origin`, such as `10.0.0.1:8443`. */
  node: string | null;
};

/** The form to open: that of a release at its own address, or the one the moving addresses serve. */
export type Opened = {
  what: 'release' | 'moving';
  release: string;
  /** The `User-Agent` by which the server chooses a side of a split. */
  userAgent?: string;
};

export type Gate = {
  /** Opens the form, types, and looks for a total. Resolves to why a buyer couldn't pay, or null. */
  open: (opened: Opened) => Promise<string | null>;
  close: () => Promise<void>;
};

/** A payment that exists only in the browser (contract 3.5). Nobody can pay it, because no service knows its secret. */
const MADE = {
  publishableKey: `pk_live_${'0'.repeat(32)}`,
  clientSecret: `lg_cs_${'0'.repeat(32)}`,
  answer: {
    id: `lg_pi_${'0'.repeat(24)}`,
    object: 'payment_intent',
    status: 'pending',
    currency: 'usd',
    amount: 1000,
    fee_buyer: 0,
    amount_total: 1000,
    confirmation_attempts: 0,
    attempts_left: 10,
    attempt_in_progress: false,
    missing_details: [],
    description: 'Release check',
    items: [],
    shipping_amount: 0,
    tax_amount: 0,
    discount_amount: 0,
    items_difference: 1000,
    created: 1_767_225_600,
    succeeded_at: null,
    last_payment_error: null,
  },
} as const;

/** Starts the browser for all forms of a command. Throws a `ProbeError` if it doesn't start. */
export const startGate = async (options: GateOptions, tools: ProbeTools): Promise<Gate> => {
  const { node, ...rest } = options;
  const { hostname, port } = new URL(options.origin);
  const from = `${hostname}${port === '' ? '' : `:${port}`}`;
  const args = node === null ? [] : [`--host-resolver-rules=MAP ${from} ${node}`];
  const browser = await launch({ ...options, args }, tools.browsers);
  return {
    open: async ({ what, release, userAgent }) => {
      const { ok, reason, message, ...report } = await probeIn(
        browser,
        {
          ...rest,
          ...{ publishableKey: MADE.publishableKey, clientSecret: MADE.clientSecret },
          made: JSON.stringify(MADE.answer),
          isTyping: true,
          script: what === 'release' ? `${STATIC_ROUTES.release(release)}card-form.js` : STATIC_ROUTES.loader,
          ...(userAgent === undefined ? {} : { userAgent }),
        },
        tools,
      );
      const kept = report.screenshot === null ? '' : ` (kept: ${report.screenshot})`;
      if (!ok) return `no buyer could pay: ${reason}: ${message}${kept}`;
      return report.release === release
        ? null
        : `the script was expected to be of release ${release}; it is of ${report.release}`;
    },
    close: () => browser.close(),
  };
};
