import type { BrowserContext } from 'playwright/test';
import type { Merchant } from './merchant.ts';

/**
 * The address at which a page of the merchant is reached over http on a host that is not loopback. The tests that open
 * it expect this stranger.
 */
export const withoutHttps = async (
  context: BrowserContext,
  merchant: Merchant,
  address: string,
  host = 'shop.example',
): Promise<string> => {
  await context.route(`http://${host}/**`, async (route) => {
    const url = route.request().url().replace(`http://${host}`, merchant.url);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  // A browser asks its user before such a page may reach a loopback address.
  await context.route(/\/(?:card-form|page|mistakes)\.js$/, async (route) =>
    route.fulfill({ response: await route.fetch() }),
  );
  return address.replace(merchant.url, `http://${host}`);
};
