/** Shared by the journeys of a payment: the sentences a buyer reads, and assertions on how a payment ended. */
import type { Page } from 'playwright/test';
import type { CheckoutPage } from '../support/checkout-page.ts';
import { expect } from '../support/fixtures.ts';
import type { Intent, PaymentRecord, Service } from '../support/service.ts';

export const CONFIRMING = 'Confirming your payment. Please keep this page open.';
/** The words change with the time since the press. */
export const STILL = /^(Still confirming with your bank|Your bank (is slower|has not answered))/;
export const NOT_CHARGED =
  'We could not reach the payment service and no payment was recorded. You can try again; this order cannot be charged twice.';
export const DECLINED = 'Your card was declined. Check the details or use another card.';
export const COULD_NOT_LOAD = 'The payment form could not load.';

/** Counts the confirms that the form sent; the browser can deliver one of them twice. */
export const countConfirms = (page: Page) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/confirm')) sent.push(request.url());
  });
  return () => sent.length;
};

/** Expects the buyer to read that the payment was received, and the service's record to have the charge. */
export const expectPaid = async (
  checkout: CheckoutPage,
  service: Service,
  { id }: Pick<Intent, 'id'>,
  record: Partial<PaymentRecord> = { charges: 1, confirms: 1 },
) => {
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(id)).toMatchObject(record);
};

/** Expects the fields to be disabled while the form waits, and to keep their values. */
export const expectCardKept = async ({ field }: CheckoutPage, number: string) => {
  await expect(field('number')).toHaveValue(number);
  await expect(field('expiry')).toHaveValue('12 / 34');
  await expect(field('code')).toHaveValue('123');
};

/** Pays, and returns once the service has charged but not responded. */
export const chargedUnanswered = async (
  checkout: CheckoutPage,
  service: Service,
  { id }: Intent,
  number: string,
) => {
  await service.nextAnswer({ route: 'client.confirm', never: true });
  await checkout.fillCard(number);
  await checkout.pay();
  await expect.poll(async () => (await service.record(id)).charges).toBe(1);
  await expect(checkout.notice).toHaveText(CONFIRMING);
  await checkout.hears('processing');
};

/** The browser's dialogs before it leaves a page; `leave` answers each. */
export const questions = (page: Page, leave = () => true) => {
  const asked: string[] = [];
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type());
    await (leave() ? dialog.accept() : dialog.dismiss());
  });
  return asked;
};
