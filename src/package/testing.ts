/**
 * For a shop's end-to-end tests with Playwright: types into the form and presses Pay, in any language. It imports
 * nothing; the types below are what it needs of Playwright's.
 */

/** What it needs of a Playwright `Locator`. */
export type TestLocator = {
  count(): Promise<number>;
  fill(value: string): Promise<void>;
  selectOption(value: string): Promise<unknown>;
  click(): Promise<void>;
  waitFor(options: { state: 'visible'; timeout?: number }): Promise<void>;
  evaluate(read: (element: Element) => unknown): Promise<unknown>;
};

/** A Playwright `Page`, or a `Locator` or `FrameLocator` of it, in which the form stands. */
export type TestPage = { frameLocator(selector: string): { locator(selector: string): TestLocator } };

/** What to type. What is left out is a good value; an empty text leaves the field alone. */
export type CardFormEntries = {
  /** Default 4242 4242 4242 4242, which succeeds in the sandbox. */
  number?: string | undefined;
  /** Default 12/34. */
  expiry?: string | undefined;
  /** The security code. Default 123; 1234 for American Express. */
  code?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
  /** ISO 3166-1 alpha-2. Default US; with another, give the address, too. */
  country?: string | undefined;
  line1?: string | undefined;
  line2?: string | undefined;
  city?: string | undefined;
  /** By its code, such as OR, where the form has a list. */
  state?: string | undefined;
  postalCode?: string | undefined;
};

const FORM = 'iframe[src*="/partner/v1/card-form/"]';

/** How HTML names what is asked for, in every language; in the order of the form, country first. */
const TOKENS: readonly [keyof CardFormEntries, token: string][] = [
  ['country', 'country'],
  ['number', 'cc-number'],
  ['expiry', 'cc-exp'],
  ['code', 'cc-csc'],
  ['name', 'cc-name'],
  ['email', 'email'],
  ['line1', 'address-line1'],
  ['line2', 'address-line2'],
  ['city', 'address-level2'],
  ['state', 'address-level1'],
  ['postalCode', 'postal-code'],
];

const CARD: CardFormEntries = { number: '4242424242424242', expiry: '12/34', code: '123' };
const BUYER: CardFormEntries = { name: 'Ada Lovelace', email: 'ada@example.com' };
const ADDRESS: CardFormEntries = {
  country: 'US',
  line1: '12 Orchard Lane',
  city: 'Portland',
  state: 'OR',
  postalCode: '97205',
};

/** In ms: how long the fields of a country may take to arrive. */
const FIELDS_WITHIN = 5000;

/**
 * Waits for the form and fills it in. Fields that the shop has filled in and hidden, or that the country does not
 * have, are passed over, unless a value is given for them.
 *
 * @example
 * await fillCardForm(page, { number: '4000 0000 0000 0002' });
 */
export const fillCardForm = async (page: TestPage, entries: CardFormEntries = {}): Promise<void> => {
  const form = page.frameLocator(FORM);
  const field = (token: string) => form.locator(`[autocomplete~="${token}"]`);
  await field('cc-number').waitFor({ state: 'visible' });
  const isElsewhere = entries.country !== undefined && entries.country !== ADDRESS.country;
  const values: CardFormEntries = {
    ...CARD,
    ...(isAmex(entries.number) ? { code: '1234' } : {}),
    ...BUYER,
    ...(isElsewhere ? {} : ADDRESS),
    ...entries,
  };
  // Whoever may choose a country is asked for the address, once the country's fields are there.
  const isAddressAsked = (await field('country').count()) > 0;
  for (const [name, token] of TOKENS) {
    const value = values[name];
    if (!value) continue;
    const control = field(token);
    if (entries[name] !== undefined || (isAddressAsked && name in ADDRESS)) {
      await control.waitFor({ state: 'visible', timeout: FIELDS_WITHIN }).catch(() => {
        throw new Error(`The card form has no field for ${name} (${token}); it was given ${value}.`);
      });
    } else if ((await control.count()) === 0) continue;
    const isList = await control.evaluate((element) => element.tagName === 'SELECT');
    await (isList ? control.selectOption(value) : control.fill(value));
  }
};

/**
 * Clicks Pay, once. With `entries`, also an empty object, the form is filled in before. What becomes of the payment is
 * for the test to look for, on the shop's own page.
 *
 * @example
 * await payCardForm(page, {});
 * await expect(page).toHaveURL(/thanks/);
 */
export const payCardForm = async (page: TestPage, entries?: CardFormEntries): Promise<void> => {
  if (entries) await fillCardForm(page, entries);
  await page.frameLocator(FORM).locator('button[type="submit"]').click(); // which waits until the press counts
};

const isAmex = (number: string | undefined) => /^3[47]/.test(number ?? '');
