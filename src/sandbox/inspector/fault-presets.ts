/** A fault to choose from, and its fields in the body of `POST /_sandbox/faults`. */
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

export const FAULTY_ROUTES = ['client.confirm', 'client.retrieve', 'client.release'] as const;
