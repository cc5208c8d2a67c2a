/**
 * Every state of the form that a buyer can see, and the steps that lead there, for the screenshots, axe and the layout
 * tests. Elements are never found by their text, so the steps work in every language.
 */
import type { Page } from 'playwright/test';
import { CARD, checkoutPage } from './checkout-page.ts';
import { expect, type Open } from './fixtures.ts';
import type { MerchantPage } from './merchant.ts';
import type { Service } from './service.ts';

/** Inputs of the steps to a state. */
export type Stage = { page: Page; service: Service; open: Open; locale: string };

/** The locators of a form. */
export type Form = ReturnType<typeof formOn>;

/** Brings a form into a state and waits for it. */
type State = (stage: Stage) => Promise<Form>;

/** An address where each language is spoken. The merchant knows it, so only the card is typed. */
const ADDRESSES = {
  en: { line1: '12 Orchard Lane', city: 'Portland', state: 'OR', postal_code: '97205', country: 'US' },
  de: { line1: 'Lindenstraße 12', city: 'Leipzig', postal_code: '04109', country: 'DE' },
  ja: { line1: '千代田1-1', city: '千代田区', state: '東京都', postal_code: '100-0001', country: 'JP' },
  ar: { line1: 'شارع الشيخ زايد 12', state: 'دبي', city: '', postal_code: '', country: 'AE' },
} as const;

const addressOf = (locale: string) =>
  locale === 'de' || locale === 'ja' || locale === 'ar' ? ADDRESSES[locale] : ADDRESSES.en;

const knownBuyer = (locale: string) => ({
  billingDetails: { email: 'ada@example.com', name: 'Ada Lovelace', address: addressOf(locale) },
});

/** A page's form in any language: fields are found by autocomplete token, the rest by class. */
export const formOn = (page: Page) => {
  const iframe = page.locator('#card-form iframe');
  const frame = page.locator('#card-form').frameLocator('iframe');
  const root = frame.locator(':root');
  const field = (token: string) => frame.locator(`[autocomplete$=" ${token}"]`);
  const pay = frame.locator('button.pay');
  return {
    page,
    iframe,
    frame,
    root,
    field,
    pay,
    details: frame.locator('.details > summary'),
    notice: frame.locator('.notice'),
    outcome: frame.locator('.outcome'),

    hasAll: checkoutPage(page).hasAll,

    /** Waits until the frame has its element's width and its content's height, and is painted. */
    async settled() {
      await expect(async () => {
        const room = await iframe.evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
        const taken = await root.evaluate((it) => [window.innerWidth, it.scrollHeight]);
        expect(taken).toEqual(room);
      }).toPass({ timeout: 10_000 });
      for (const one of [root, page.locator(':root')]) {
        await one.evaluate(async () => {
          for (let drawn = 0; drawn < 3; drawn += 1)
            await new Promise((resolve) => requestAnimationFrame(resolve));
        });
      }
    },

    async typeCard(number: string) {
      await field('cc-number').fill(number);
      await field('cc-exp').fill('12/34');
      await field('cc-csc').fill('123');
    },

    /** Fills in a card and a US buyer's billing details. */
    async fillIn(number: string = CARD.visa) {
      await this.typeCard(number);
      await field('cc-name').fill('Ada Lovelace');
      await field('email').fill('ada@example.com');
      await field('address-line1').fill('12 Orchard Lane');
      await field('address-level2').fill('Portland');
      await field('address-level1').selectOption('OR');
      await field('postal-code').fill('97205');
    },

    /** Presses the button. */
    press: () => frame.locator('button.pay[data-kind="pay"]').click(),
  };
};

/** Hides the ribbon that the form shows for a sandbox key. */
export const hideRibbon = ({ root }: Form): Promise<void> =>
  root.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.ribbon, .problem-count { display: none }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });

/** Opens a form in the stage's language and waits for its fields. */
const start = async (
  { page, service, open, locale }: Stage,
  { options = {}, ...merchantPage }: MerchantPage = {},
  order: Record<string, unknown> = {},
): Promise<Form> => {
  await open(await service.createIntent(order), { ...merchantPage, options: { locale, ...options } });
  const form = formOn(page);
  await expect(form.field('cc-number')).toBeVisible();
  return form;
};

const ready = async (form: Form): Promise<Form> => {
  await expect(form.frame.locator('.summary[data-state="known"]')).toBeVisible();
  await form.hasAll();
  return form;
};

/** Types a card for a known buyer and presses Pay. */
const paying = async (stage: Stage, card: string): Promise<Form> => {
  const form = await ready(await start(stage, { options: { defaultValues: knownBuyer(stage.locale) } }));
  await form.typeCard(card);
  await form.press();
  return form;
};

const told = async (form: Form, tone: 'info' | 'bad'): Promise<Form> => {
  await expect(form.frame.locator(`.notice[data-tone="${tone}"]`)).toBeVisible();
  return form;
};

const ended = async (form: Form, tone: 'good' | 'busy' | 'neutral' | 'bad'): Promise<Form> => {
  await expect(form.frame.locator(`.outcome[data-tone="${tone}"]`)).toBeVisible();
  return form;
};

/** Every state, in the order a buyer may see them. */
export const STATES = {
  async loading(stage) {
    await stage.service.nextAnswer({ route: 'client.retrieve', never: true });
    const form = await start(stage);
    await expect(form.frame.locator('.summary[data-state="loading"]')).toBeVisible();
    await form.hasAll();
    return form;
  },
  ready: async (stage) => ready(await start(stage)),
  async filling(stage) {
    const form = await ready(await start(stage));
    await form.field('cc-number').fill('5555 5555 5555 4444');
    await form.field('cc-exp').fill('12');
    await form.field('cc-exp').focus();
    return form;
  },
  async details(stage) {
    const form = await ready(await start(stage, {}, { amount: 5554, discount_amount: 250 }));
    await form.details.click();
    return form;
  },
  async problems(stage) {
    const form = await ready(await start(stage));
    await form.field('cc-number').fill('4242 4242 4242 4241');
    await form.press();
    await expect(form.field('cc-exp')).toHaveAttribute('aria-invalid', 'true');
    return form;
  },
  async confirming(stage) {
    await stage.service.nextAnswer({ route: 'client.confirm', never: true });
    return told(await paying(stage, CARD.visa), 'info');
  },
  async verifying(stage) {
    await stage.service.nextAnswer({ route: 'client.confirm', status: 502 });
    return told(await paying(stage, CARD.visa), 'info');
  },
  declined: async (stage) => told(await paying(stage, CARD.declined), 'bad'),
  /** A guest whose card was declined: completed parts are folded, and another card can be typed. */
  async 'second-card'(stage) {
    const form = await ready(await start(stage));
    await form.field('country').selectOption('US');
    await form.fillIn(CARD.declined);
    await form.press();
    await expect(form.frame.locator('.folded')).toHaveCount(2);
    return form;
  },
  async 'total-changed'(stage) {
    const form = await told(await paying(stage, CARD.totalRises), 'info');
    await expect(form.frame.locator('button.pay[data-kind="pay"]')).toBeVisible();
    return form;
  },
  async throttled(stage) {
    await stage.service.nextAnswer({ route: 'client.confirm', status: 429, retry_after: 582 });
    return told(await paying(stage, CARD.visa), 'info');
  },
  processing: async (stage) => ended(await paying(stage, CARD.processingForever), 'busy'),
  succeeded: async (stage) => ended(await paying(stage, CARD.visa), 'good'),
  async canceled({ service, open, page, locale }) {
    const intent = await service.createIntent();
    await service.cancel(intent.id);
    await open(intent, { options: { locale } });
    return ended(formOn(page), 'neutral');
  },
  async unknown(stage) {
    // The form gives up after ten minutes without an answer; the fake clock skips them.
    const { page, service } = stage;
    await page.clock.install();
    const form = await ready(await start(stage, { options: { defaultValues: knownBuyer(stage.locale) } }));
    await form.typeCard(CARD.visa);
    await service.nextAnswer({ route: 'client.confirm', status: 500 });
    await service.nextAnswer({ route: 'client.retrieve', status: 500, times: 1000 });
    await form.pay.click();
    await expect(async () => {
      await page.clock.fastForward(15_000);
      await expect(form.outcome).toBeVisible({ timeout: 50 });
    }).toPass({ intervals: [20], timeout: 30_000 });
    return ended(form, 'bad');
  },
  async unavailable(stage) {
    await stage.service.nextAnswer({ route: 'client.confirm', code: 'merchant_suspended' });
    return ended(await paying(stage, CARD.visa), 'bad');
  },
  exhausted: async (stage) => ended(await paying(stage, CARD.declined), 'bad'),
  async 'load-failed'(stage) {
    await stage.service.nextAnswer({
      route: 'client.retrieve',
      code: 'service_unavailable',
      status: 503,
      times: 20,
    });
    await stage.page.clock.install();
    const form = await start(stage);
    await expect(async () => {
      await stage.page.clock.fastForward(15_000);
      await expect(form.notice).toBeVisible({ timeout: 50 });
    }).toPass({ intervals: [20], timeout: 30_000 });
    return form;
  },
  async offline(stage) {
    const form = await ready(await start(stage));
    await stage.page.context().setOffline(true);
    return told(form, 'bad');
  },
  async sandbox(stage) {
    const form = await ready(await start(stage));
    await expect(form.frame.locator('.ribbon')).toBeVisible();
    return form;
  },
  'host-button': async (stage) => ready(await start(stage, { options: { payButton: 'host' } })),
  async floating(stage) {
    const form = await ready(await start(stage, { options: { appearance: { labels: 'floating' } } }));
    await form.field('cc-number').fill('3782 822463 10005');
    await form.field('cc-name').focus();
    return form;
  },
  async grouped(stage) {
    const form = await ready(await start(stage, { options: { appearance: { fields: 'grouped' } } }));
    await form.field('cc-number').fill('3782 822463 10005');
    await form.field('cc-exp').focus();
    return form;
  },
  async 'grouped-problems'(stage) {
    const form = await ready(await start(stage, { options: { appearance: { fields: 'grouped' } } }));
    await form.field('cc-number').fill('4242 4242 4242 4241');
    await form.press();
    await expect(form.field('cc-exp')).toHaveAttribute('aria-invalid', 'true');
    return form;
  },
} as const satisfies Record<string, State>;

export type StateName = keyof typeof STATES;

/** Names of all states. */
export const STATE_NAMES = Object.keys(STATES).filter((name): name is StateName => name in STATES);
