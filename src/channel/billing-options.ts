/** The keys of `fields.billingDetails`, which decide which billing fields the buyer is asked for (promises 1.5, `fields`). */
export const BILLING_OPTIONS = ['email', 'name', 'address'] as const;
export type BillingOption = (typeof BILLING_OPTIONS)[number];
