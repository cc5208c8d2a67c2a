import type { IntentRecord } from '../store/records.ts';

/** The details that are required before the buyer pays and that the merchant has not sent yet (contract S7.2). */
export const missingDetails = (intent: IntentRecord): string[] => [
  ...(intent.buyer === null ? ['buyer'] : []),
  ...(intent.order_reference === null ? ['order_reference'] : []),
  ...(intent.shipping_details === null && intent.goods_type === 'physical' ? ['shipping_details'] : []),
];
