/**
 * For a shop's end-to-end tests with Playwright: fills in the form and clicks Pay, whatever the form's language. It
 * needs no package; the types below are the part of Playwright's API that it uses.
 */
import { CONTROLS } from '../form/channel/field-controls.ts';
import { FIELD_NAMES } from '../form/channel/field-names.ts';
import type { FieldName } from '../form/channel/fields.ts';

/** The part of Playwright's `Locator` that is used. */
export type TestLocator = {
  count(): Promise<number>;
  fill(value: string): Promise<void>;
  selectOption(value: string): Promise<unknown>;
  click(): Promise<void>;
  waitFor(options: { state: 'visible'; timeout?: number }): Promise<void>;
  evaluate(read: (element: Element) => unknown): Promise<unknown>;
};

/** A Playwright `Page`, `Locator` or `FrameLocator` that contains the form. */
export type TestPage = { frameLocator(selector: string): { locator(selector: string): TestLocator } };

/** What to type. Omitted entries get a valid value; an empty string leaves the field unchanged. */
export type CardFormEntries = {
  /** Default `4242 4242 4242 4242`, which succeeds in the sandbox. */
  number?: string | undefined;
  /** Default `12/34`. */
  expiry?: string | undefined;
  /** The security code. Default `123`, or `1234` for American Express. */
  code?: string | undefined;
  /** ISO 3166-1 alpha-2. Default `US`. With another country, give the address as well. */
  country?: string | undefined;
  /** Its code, such as `OR`, if the form has a list of states. */
  state?: string | undefined;
  postalCode?: string | undefined;
} & { [Name in Exclude<FieldName, keyof typeof RENAMED>]?: string | undefined };

const FORM = 'iframe[src*="/partner/v1/card-form/"]';

/** Fields that have another name here than in the service's API. */
const RENAMED = { cvc: 'code', postal_code: 'postalCode' } as const;

/** The `autocomplete` tokens of the fields, in the order of the form; but the country first, since it decides the others. */
const TOKENS = ['country' as const, ...FIELD_NAMES.filter((name) => name !== 'country')].map(
  (name) =>
    [name === 'cvc' || name === 'postal_code' ? RENAMED[name] : name, CONTROLS[name].autocomplete] as const,
);

const CARD: CardFormEntries = { number: '4242424242424242', expiry: '12/34', code: '123' };
const BUYER: CardFormEntries = { name: 'Ada Lovelace', email: 'ada@example.com' };
const ADDRESS: CardFormEntries = {
  country: 'US',
  line1: '12 Orchard Lane',
  city: 'Portland',
  state: 'OR',
  postalCode: '97205',
};

/** How long the fields of a country may take to load, in ms. */
const FIELD_TIMEOUT = 5000;

/**
 * Waits for the form and fills it in. Fields that the shop has hidden, or that the country does not have, are skipped; it
 * throws if `entries` has a value for one of them. Billing details that the form shows as text stay as they are, unless
 * `entries` has a value for one of them: then they are opened and that value is changed.
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
  // Billing details that the shop gave are text until somebody wants to change them.
  const change = form.locator('.known button');
  const given = TOKENS.filter(([name]) => entries[name]);
  const counts = await Promise.all(given.map(([, token]) => field(token).count()));
  const wasKnown = counts.includes(0) && (await change.count()) > 0;
  if (wasKnown) await change.click();
  // A form with a country field asks for the address, too, as soon as the country's fields have loaded.
  const isAddressAsked = !wasKnown && (await field('country').count()) > 0;
  for (const [name, token] of TOKENS) {
    const value = wasKnown && !(name in CARD) ? entries[name] : values[name];
    if (!value) continue;
    const control = field(token);
    if (entries[name] !== undefined || (isAddressAsked && name in ADDRESS)) {
      await control.waitFor({ state: 'visible', timeout: FIELD_TIMEOUT }).catch(() => {
        throw new Error(`The card form has no field for ${name} (${token}); it was given ${value}.`);
      });
    } else if ((await control.count()) === 0) continue;
    const isList = await control.evaluate((element) => element.tagName === 'SELECT');
    await (isList ? control.selectOption(value) : control.fill(value));
  }
};

/**
 * Clicks Pay once. With `entries`, even an empty object, it fills in the form first. It does not wait for the outcome:
 * check for that on the shop's own page.
 *
 * @example
 * await payCardForm(page, {});
 * await expect(page).toHaveURL(/thanks/);
 */
export const payCardForm = async (page: TestPage, entries?: CardFormEntries): Promise<void> => {
  if (entries) await fillCardForm(page, entries);
  await page.frameLocator(FORM).locator('button[type="submit"]').click(); // waits until the button is enabled
};

const isAmex = (number: string | undefined) => /^3[47]/.test(number ?? '');
