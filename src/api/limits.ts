/** The numbers of contract S17. Amounts in minor units. */
export const LIMITS = {
  smallestTotal: 100,
  largestAmount: 99_999_999,
  items: 100,
  itemName: 500,
  quantity: 1_000_000,
  orderReference: 100,
  description: 1000,
  metadataKeys: 50,
  metadataKey: 40,
  metadataValue: 500,
  buyerName: 200,
  addressLine: 200,
  phone: 40,
  postalCode: 20,
  idempotencyKey: 255,
  pageSize: 100,
  defaultPageSize: 20,
  /** The longest address of RFC 5321. Ours: the description gives no length. */
  email: 254,
} as const;
