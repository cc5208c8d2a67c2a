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
export type PageName = (typeof VIEWS)[number];

const isView = (text: string | undefined): text is PageName => VIEWS.some((view) => view === text);

/** What an address shows: `#/<view>`, `#/payments/<id>`, or two payments as `#/payments/<id>/<other id>`. */
export type HashRoute = { view: PageName; paymentId: string | null; otherId: string | null };

/** Reads the address; an unknown view is `payments`. */
export const parseHash = (hash: string): HashRoute => {
  const [view, paymentId, otherId] = hash.replace(/^#\/?/, '').split('/');
  return { view: isView(view) ? view : 'payments', paymentId: paymentId || null, otherId: otherId || null };
};
