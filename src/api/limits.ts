/**
 * The limits of contract S17: amounts in minor units, texts in characters. Each is a separate constant, so that the
 * build can inline it.
 */

export const smallestTotal = 100;
export const largestAmount = 99_999_999;
export const items = 100;
export const itemName = 500;
export const quantity = 1_000_000;
export const orderReference = 100;
export const description = 1000;
export const metadataKeys = 50;
export const metadataKey = 40;
export const metadataValue = 500;
export const buyerName = 200;
export const addressLine = 200;
export const phone = 40;
export const postalCode = 20;
/** The length of an ISO 3166-1 alpha-2 code. */
export const country = 2;
export const idempotencyKey = 255;
export const pageSize = 100;
export const defaultPageSize = 20;
/** The longest email address that RFC 5321 allows. Ours: the description gives no length. */
export const email = 254;
