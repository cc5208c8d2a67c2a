import type { IntentRecord } from '../store/records.ts';

/** Returns the details required for payment that the merchant has not sent yet (contract S7.2). */
export const missingDetails = (intent: IntentRecord): string[] => [
  ...(intent.buyer === null ? ['buyer'] : []),
  ...(intent.order_reference === null ? ['order_reference'] : []),
  ...(intent.shipping_details === null && intent.goods_type === 'physical' ? ['shipping_details'] : []),
];
