/** The options of the page's that govern whether fields are asked for (product 1, `fields`). */
export const GOVERNING = ['email', 'name', 'address'] as const;
export type Governing = (typeof GOVERNING)[number];
