/** The URLs of the page's views. */

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

/** The route in a URL: `#/<view>`, `#/payments/<id>`, or two payments as `#/payments/<id>/<other id>`. */
export type HashRoute = { view: PageName; paymentId: string | null; otherId: string | null };

/** Parses the URL's hash. An unknown view becomes `payments`. */
export const parseHash = (hash: string): HashRoute => {
  const [view, paymentId, otherId] = hash.replace(/^#\/?/, '').split('/');
  return { view: isView(view) ? view : 'payments', paymentId: paymentId || null, otherId: otherId || null };
};
