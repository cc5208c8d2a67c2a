/** A preset fault, with its fields in the body of `POST /_sandbox/faults`. */
export type FaultPreset = { name: string; text: string; fault: Readonly<Record<string, unknown>> };

export const FAULT_PRESETS: readonly FaultPreset[] = [
  { name: 'cut_after', text: 'acts, then the connection is cut', fault: { cut: 'after' } },
  { name: 'cut_before', text: 'the connection is cut before it acts', fault: { cut: 'before' } },
  { name: 'refuse', text: 'the connection is reset at once', fault: { refuse: true } },
  { name: 'delay', text: 'acts, answers after 10 s', fault: { delay_seconds: 10 } },
  { name: 'late', text: 'arrives after 10 s', fault: { arrives_after: 10 } },
  { name: 'never', text: 'acts, never answers', fault: { never: true } },
  { name: 'twice', text: 'is delivered twice', fault: { deliveries: 2 } },
  { name: '429', text: '429, Retry-After: 5', fault: { status: 429, retry_after: 5 } },
  { name: '500', text: '500 internal_error', fault: { status: 500 } },
  { name: '502', text: 'acts, answers 502 with an HTML page', fault: { act: true, status: 502, html: true } },
  { name: 'html', text: 'acts, answers with an HTML page', fault: { html: true } },
  { name: 'truncated', text: 'acts, the response ends after 40 bytes', fault: { truncate_at: 40 } },
];

/** The routes that can have faults, by caller. */
export const ROUTE_GROUPS = [
  { title: 'The form', routes: ['client.confirm', 'client.retrieve', 'client.release'] },
  {
    title: 'Your server',
    routes: [
      'payment_intents.create',
      'payment_intents.update',
      'payment_intents.retrieve',
      'payment_intents.list',
      'refunds.create',
      'refunds.retrieve',
      'refunds.list',
      'balance.retrieve',
      'fee_quotes.create',
      'webhook_signing_keys.list',
    ],
  },
] as const;

/** A preset for the next webhooks. `plan` creates the body of `POST /_sandbox/webhook_plan` for `times` of them. */
export type WebhookPreset = { text: string; plan(times: number): Readonly<Record<string, unknown>> };

export const WEBHOOK_PRESETS: readonly WebhookPreset[] = [
  { text: 'arrive, but their response is lost', plan: (times) => ({ time_out: { arrives: true, times } }) },
  { text: 'never arrive', plan: (times) => ({ time_out: { arrives: false, times } }) },
  { text: 'arrive twice', plan: (times) => ({ duplicate: { copies: 2, times } }) },
  { text: 'arrive a minute late', plan: (times) => ({ delay: { seconds: 60, times } }) },
  // A single webhook has no order.
  { text: 'arrive in reverse order', plan: (times) => ({ reverse: { size: Math.max(2, times) } }) },
];
