/** The options of the page's that govern whether fields are asked for (promises 1.5, `fields`). */
export const BILLING_OPTIONS = ['email', 'name', 'address'] as const;
export type BillingOption = (typeof BILLING_OPTIONS)[number];
