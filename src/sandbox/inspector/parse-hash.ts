/** The addresses of the page, which lead to its views. */

/** The views of the page, each at `#/<name>`. */
export const VIEWS = [
  'payments',
  'requests',
  'webhooks',
  'balance',
  'cards',
  'faults',
  'reports',
  'controls',
] as const;
export type View = (typeof VIEWS)[number];

const isView = (text: string | undefined): text is View => VIEWS.some((view) => view === text);

/** What an address shows: `#/<view>`, `#/payments/<id>`, or two payments as `#/payments/<id>/<other id>`. */
export type Route = { view: View; paymentId: string | null; otherId: string | null };

/** Reads the address; an unknown view is `payments`. */
export const parseHash = (hash: string): Route => {
  const [view, paymentId, otherId] = hash.replace(/^#\/?/, '').split('/');
  return { view: isView(view) ? view : 'payments', paymentId: paymentId || null, otherId: otherId || null };
};
