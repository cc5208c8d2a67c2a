import type { BrowserContext } from 'playwright/test';
import type { Merchant } from './merchant.ts';

/**
 * The address at which a page of the merchant is reached over http on a host that is not loopback. The tests that open
 * it expect the stranger `http://shop.example`.
 */
export const withoutHttps = async (
  context: BrowserContext,
  merchant: Merchant,
  address: string,
): Promise<string> => {
  await context.route('http://shop.example/**', async (route) => {
    const url = route.request().url().replace('http://shop.example', merchant.url);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await context.route('**/card-form.js', async (route) => route.fulfill({ response: await route.fetch() }));
  return address.replace(merchant.url, 'http://shop.example');
};
