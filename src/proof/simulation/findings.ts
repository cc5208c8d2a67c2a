/** Results of watching a run: the broken invariants, and what the run covered. */

/** Things a run can cover, in the order of the printed table. */
export const SIGHTS = [
  'a confirm was sent',
  'money moved',
  'more deliveries of a confirm than presses',
  'a confirm got no answer',
  'a confirm was declined: 402',
  'the total had changed: 409',
  'a confirm was not pending: 400',
  'a confirm failed: 5xx',
  'the service requested a wait: 429',
  'the form looked up the outcome of a press',
  'the form said that nothing was charged',
  'the form did not know',
  'the form blamed the integration',
  'tries were used up',
  'the page was asked about a press',
  'the page refused a press',
  'the page gave no answer to a press',
  'the total changed while the page was asked',
  'two tabs pressed',
  'a press let another tab go first',
  'another intent replaced a finished one',
  'a form got another intent',
  'the page slept while a press was under way',
  'an attempt ran while its intent was read',
  'a charge was denied',
  'refresh() said that the payment is pending',
] as const;
export type Sight = (typeof SIGHTS)[number];

export type Findings = {
  /** Each invariant once. */
  broken: readonly string[];
  seen: ReadonlySet<Sight>;
  fail(invariant: string): void;
  see(sight: Sight): void;
};

export const createFindings = (): Findings => {
  const broken: string[] = [];
  const seen = new Set<Sight>();
  return {
    broken,
    seen,
    fail(invariant) {
      if (!broken.includes(invariant)) broken.push(invariant);
    },
    see(sight) {
      seen.add(sight);
    },
  };
};
