/**
 * Page model of a checkout: what a buyer sees and does, by the form's stable names (promises 2.1). Tests rely on
 * nothing else in the form's document.
 */
import { expect, type Locator, type Page } from 'playwright/test';
import type { Heard } from './merchant.ts';

/** Sandbox test numbers (contract 6.7) used by many tests. */
export const CARD = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
  amex: '378282246310005',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  expired: '4000000000000069',
  incorrectCvc: '4000000000000127',
  lost: '4000000000009987',
  notAuthenticated: '4000008400001629',
  authenticationRequired: '4000002760003184',
  providerError: '4000000000000119',
  processing: '4000000000010001',
  processingFails: '4000000000010019',
  chargedUnanswered: '4000000000010027',
  declinedUnanswered: '4000000000010035',
  chargedBadGateway: '4000000000010043',
  chargedSlowly: '4000000000010050',
  throttled: '4000000000010068',
  totalRises: '4000000000010076',
  chargedHtml: '4000000000010084',
  chargedTruncated: '4000000000010092',
  processingForever: '4000000000010100',
  refusedPostalCode: '4000000000010118',
  internalError: '4000000000010126',
} as const;

/** Each field's English label, for an address in the US. */
export const LABEL = {
  number: 'Card number',
  expiry: 'Expiry date',
  code: 'Security code',
  name: 'Name on card',
  email: 'Email',
  country: 'Country or region',
  line1: 'Address',
  line2: 'Address line 2',
  city: 'City',
  state: 'State',
  zip: 'ZIP code',
} as const;

export type FieldName = keyof typeof LABEL;

/** The values a buyer types. */
export const BUYER: Readonly<Record<Exclude<FieldName, 'country' | 'line2'>, string>> = {
  number: CARD.visa,
  expiry: '12/34',
  code: '123',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  line1: '12 Orchard Lane',
  city: 'Portland',
  state: 'OR',
  zip: '97205',
};

/** The same buyer's billing details, as a merchant passes them in `defaultValues`. */
export const KNOWN_BUYER = {
  billingDetails: {
    email: BUYER.email,
    name: BUYER.name,
    address: {
      line1: BUYER.line1,
      city: BUYER.city,
      state: BUYER.state,
      postal_code: BUYER.zip,
      country: 'US',
    },
  },
} as const;

/** A page with a card form in `container`. */
export const checkoutPage = (page: Page, container = '#card-form') => {
  const frame = page.locator(container).frameLocator('iframe');
  const iframe = page.locator(container).locator('iframe');
  const field = (name: FieldName): Locator => frame.getByLabel(LABEL[name], { exact: true });
  const payButton = frame.getByRole('button', { name: /^Pay | bezahlen$/ });

  const events = async (name?: string): Promise<readonly unknown[]> => {
    const heard: Heard[] = await page.evaluate(() => window.events);
    return heard.filter((event) => name === undefined || event.name === name).map(({ detail }) => detail);
  };

  return {
    page,
    container: page.locator(container),
    iframe,
    frame,
    field,
    payButton,
    /** Every button that acts on the payment, for tests that expect none. */
    button: frame.getByRole('button').and(frame.locator(':not(.known button, .receipt button)')),
    total: frame.locator('.total'),
    details: frame.getByText('Details', { exact: true }),
    /** The live region. */
    notice: frame.getByRole('status'),
    /** The sentence that replaces the form once the payment has ended. */
    outcome: frame.getByRole('heading'),
    /** The message in the container if the form couldn't be shown. */
    fallback: page.locator(container).getByRole('alert'),

    /** Waits until the buyer can pay and the form is complete: Pay can be pressed earlier. */
    async ready(button: string | RegExp = /^Pay /) {
      await expect(frame.getByRole('button', { name: button })).toBeEnabled();
      await expect(frame.locator('.summary')).toHaveAttribute('data-state', 'known');
    },

    /** Waits for the scripts that no press needs: undo, pasting a whole card, marks, help. */
    async hasAll() {
      await expect(frame.locator('.code-help summary')).toBeVisible();
    },

    /** Fills in the fields in form order, with valid values for those not given. */
    async fill(values: Partial<Record<FieldName, string>> = {}) {
      const typed = { ...BUYER, ...values };
      await field('number').fill(typed.number);
      await field('expiry').fill(typed.expiry);
      await field('code').fill(typed.code);
      // The merchant may have given the rest, or only name and email.
      const isKnown = (await frame.locator('.known').count()) > 0;
      const isAsked = async (name: FieldName) => !isKnown || (await field(name).count()) > 0;
      if (await isAsked('name')) await field('name').fill(typed.name);
      if (await isAsked('email')) await field('email').fill(typed.email);
      if (!(await isAsked('line1'))) return;
      await field('line1').fill(typed.line1);
      if (values.line2 !== undefined) await field('line2').fill(values.line2);
      await field('city').fill(typed.city);
      await field('state').selectOption(typed.state);
      await field('zip').fill(typed.zip);
    },

    /** Fills in only the card, for forms that already have the billing details. */
    async fillCard(number: string, code = BUYER.code) {
      await field('number').fill(number);
      await field('expiry').fill(BUYER.expiry);
      await field('code').fill(code);
    },

    /** Clicks Pay once. */
    pay: () => payButton.click(),

    /**
     * Presses Enter once the button could be clicked: Playwright waits before a click, but not before a key. Tab shows
     * that a buyer is present, because until then only a script has moved the focus (threat-model 1.4).
     */
    async enter(at: Locator = payButton) {
      await payButton.click({ trial: true });
      await at.press('Tab');
      await at.press('Enter');
    },

    /** Details of the events the page has received, of one name or of all. */
    events,
    /** Waits for an event with this name and returns the latest one's detail. */
    async hears(name: string): Promise<unknown> {
      await expect.poll(async () => (await events(name)).length).toBeGreaterThan(0);
      return (await events(name)).at(-1);
    },
  };
};

export type CheckoutPage = ReturnType<typeof checkoutPage>;
