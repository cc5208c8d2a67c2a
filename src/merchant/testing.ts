/**
 * Playwright helpers for a shop's end-to-end tests: fill in the form and click Pay, in any language of the form. Needs
 * no package; the types below are the part of Playwright's API it uses.
 */
import { CONTROLS } from '../form/channel/field-controls.ts';
import { FIELD_NAMES } from '../form/channel/field-names.ts';
import type { FieldName } from '../form/channel/fields.ts';

/** The part of Playwright's `Locator` used here. */
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

/** Values to type. Omitted entries get a valid value; an empty string leaves the field unchanged. */
export type CardFormEntries = {
  /** Default `4242 4242 4242 4242`, which succeeds in the sandbox. */
  number?: string | undefined;
  /** Default `12/34`. */
  expiry?: string | undefined;
  /** The security code. Default `123`, or `1234` for American Express. */
  code?: string | undefined;
  /** ISO 3166-1 alpha-2. Default `US`. For any other country, give the address as well. */
  country?: string | undefined;
  /** The state's code, such as `OR`, if the form has a list of states. */
  state?: string | undefined;
  postalCode?: string | undefined;
} & { [Name in Exclude<FieldName, keyof typeof RENAMED>]?: string | undefined };

const FORM = 'iframe[src*="/partner/v1/card-form/"]';

/** Fields with a different name here than in the service's API. */
const RENAMED = { cvc: 'code', postal_code: 'postalCode' } as const;

/** The fields' `autocomplete` tokens in form order, but country first, since it decides the others. */
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

/** Limit for a country's fields to load, in ms. */
const FIELD_TIMEOUT = 5000;

/**
 * Waits for the form and fills it in. Skips fields that the shop hides or the country lacks; throws if `entries` has a
 * value for one of them. Billing details shown as text stay unchanged, unless `entries` has a value for one of them:
 * then it opens them and changes that value.
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
  // Billing details given by the shop are text until someone chooses to change them.
  const change = form.locator('.known button');
  const given = TOKENS.filter(([name]) => entries[name]);
  const counts = await Promise.all(given.map(([, token]) => field(token).count()));
  const wasKnown = counts.includes(0) && (await change.count()) > 0;
  if (wasKnown) await change.click();
  // A form with a country field also asks for the address, once the country's fields have loaded.
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
 * Clicks Pay once. With `entries`, even an empty object, it fills in the form first. Doesn't wait for the outcome:
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
