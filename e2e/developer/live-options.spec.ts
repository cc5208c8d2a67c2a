/**
 * `update()` in every state of a payment: nothing typed is lost, and the form sends what was pressed (promises 1.7).
 */
import { CARD, type CheckoutPage, checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { holdRequests } from '../support/hold-requests.ts';

/** Looks in the field or, after a failed attempt, in the line that the field is folded to. */
const expectKept = async (
  { frame, field }: CheckoutPage,
  name: 'name' | 'email' | 'line1',
  value: string,
): Promise<void> => {
  if ((await frame.locator('.folded').filter({ hasText: value }).count()) > 0) return;
  await expect(field(name)).toHaveValue(value);
};

/** The options of `update()`, each with its visible effect while the form can be edited. */
const OPTIONS: Readonly<Record<string, { changes: object; seen(checkout: CheckoutPage): Promise<void> }>> = {
  defaultValues: {
    changes: { defaultValues: { billingDetails: { name: 'Somebody Else', email: 'else@example.com' } } },
    seen: async (checkout) => expectKept(checkout, 'email', 'ada@example.com'),
  },
  fields: {
    changes: { fields: { billingDetails: { email: 'never' } } },
    seen: async ({ field }) => expect(field('email')).toHaveCount(0),
  },
  payButton: {
    changes: { payButton: 'host' },
    async seen(checkout) {
      await expect(checkout.frame.locator('button.pay')).toHaveCount(1);
      const about = (await checkout.events('warning')).map((warning) =>
        Reflect.get(Object(warning), 'about'),
      );
      expect(about, 'a card is typed').toContain('payButton');
    },
  },
  'appearance.labels': {
    changes: { appearance: { labels: 'floating' } },
    seen: async ({ frame }) => expect(frame.locator('html')).toHaveAttribute('data-labels', 'floating'),
  },
  'appearance.fields': {
    changes: { appearance: { fields: 'grouped' } },
    seen: async ({ frame }) => expect(frame.locator('html')).toHaveAttribute('data-fields', 'grouped'),
  },
  acceptedBrands: {
    changes: { acceptedBrands: ['visa', 'mastercard'] },
    seen: async ({ frame }) => expect(frame.locator('.problem:visible')).toHaveCount(0),
  },
};

type Scene = {
  checkout: CheckoutPage;
  hold(address: RegExp): ReturnType<typeof holdRequests>;
  answer(): Promise<void>;
};

/** How to reach a state with the form filled in, and how the payment continues from it. */
type State = {
  /** Runs before the form is mounted. */
  before?(scene: Scene): Promise<void>;
  enter?(scene: Scene): Promise<void>;
  /** True if options show only at the end of an attempt. */
  isLocked?: boolean;
  leave?(scene: Scene): Promise<void>;
};

let release = () => {};
const STATES: Readonly<Record<string, State>> = {
  'loading, with everything typed already': {
    async before({ hold }) {
      ({ release } = await hold(/\/retrieve$/));
    },
    async leave({ checkout }) {
      release();
      await checkout.pay();
    },
  },
  'asking the page': {
    isLocked: true,
    async enter({ checkout }) {
      await checkout.pay();
      await expect(checkout.notice).toContainText('The store is checking your order.');
    },
    leave: ({ answer }) => answer(),
  },
  confirming: {
    isLocked: true,
    async enter({ checkout, hold, answer }) {
      const held = await hold(/\/confirm$/);
      ({ release } = held);
      await checkout.pay();
      await answer();
      await held.asked;
    },
    leave: async () => release(),
  },
  'declined, with another card typed': {
    async enter({ checkout, answer }) {
      await checkout.field('number').fill(CARD.declined);
      await checkout.pay();
      await answer();
      await expect(checkout.notice).toContainText('declined');
      await checkout.fillCard(CARD.visa);
    },
    leave: ({ checkout }) => checkout.pay(),
  },
  offline: {
    async enter({ checkout }) {
      await checkout.page.context().setOffline(true);
      await expect(checkout.notice).toContainText('offline');
    },
    async leave({ checkout }) {
      await checkout.page.context().setOffline(false);
      await checkout.pay();
    },
  },
};

for (const [name, { before, enter, leave, isLocked }] of Object.entries(STATES)) {
  const isRare = !['confirming', 'declined, with another card typed'].includes(name);
  test(
    `update() of every option while ${name} loses nothing typed, and the form pays with it`,
    isRare ? { tag: '@thorough' } : {},
    async ({ page, merchant, service }) => {
      const intent = await service.createIntent();
      const checkout = checkoutPage(page);
      let asked = 0;
      const scene: Scene = {
        checkout,
        hold: (address) => holdRequests(page, address),
        async answer() {
          asked += 1;
          await expect.poll(() => page.evaluate(() => window.questions.length)).toBe(asked);
          await page.evaluate(() => window.questions.at(-1)?.(true));
        },
      };
      await page.goto(merchant.serve({}));
      await before?.(scene);
      await page.evaluate(
        ([publishableKey, clientSecret]) => {
          window.questions = [];
          const beforePay = () => new Promise((resolve) => window.questions.push(resolve));
          window.mountCardForm('#card-form', {
            publishableKey,
            clientSecret,
            locale: 'en',
            appearance: { theme: 'auto' }, // loads its parser, which can't load while offline
            beforePay,
          });
        },
        [service.keys.publishable, intent.client_secret] as const,
      );
      await checkout.fill({ name: 'Grace Hopper' });
      await enter?.(scene);
      for (const [option, { changes, seen }] of Object.entries(OPTIONS)) {
        await test.step(option, async () => {
          await page.evaluate((given) => window.forms[0]?.update(given), changes);
          if (!isLocked) await seen(checkout);
          await expect(checkout.field('number')).toHaveValue('4242 4242 4242 4242');
          await expectKept(checkout, 'name', 'Grace Hopper');
          await expectKept(checkout, 'line1', '12 Orchard Lane');
        });
      }
      await leave?.(scene);
      if (!['confirming', 'asking the page'].includes(name)) await scene.answer();
      expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
      expect(await service.record(intent.id)).toMatchObject({
        charges: 1,
        payment_intent: { billing_details: { name: 'Grace Hopper', email: 'ada@example.com' } },
      });
    },
  );
}

declare global {
  interface Window {
    /** Answers to `beforePay`, one for each call. */
    questions: ((answer: unknown) => void)[];
  }
}

test.describe('update({ payButton })', () => {
  test.use({ knownBuyer: true });

  test('to the page, to the form and back: the button disappears and returns, the height follows, and the total must be seen again', async ({
    checkout,
    intent,
    page,
    service,
  }) => {
    await checkout.ready();
    const before = await checkout.iframe.evaluate((frame) => frame.clientHeight);
    await checkout.payButton.focus();
    await page.evaluate(() => window.forms[0]?.update({ payButton: 'host' }));
    await expect(checkout.frame.locator('button.pay')).toHaveCount(0);
    await expect.poll(() => checkout.iframe.evaluate((frame) => frame.clientHeight)).toBeLessThan(before);
    await page.evaluate(() => window.forms[0]?.update({ payButton: 'frame' }));
    await expect(checkout.payButton).toBeVisible();
    await page.evaluate(() => window.forms[0]?.update({ payButton: 'host' }));
    await expect(checkout.frame.locator('button.pay')).toHaveCount(0);
    await checkout.field('number').focus();
    expect(
      await page.evaluate(() => document.activeElement?.localName),
      'the focus is still in the form',
    ).toBe('iframe');
    await checkout.fillCard(CARD.visa);
    await expect
      .poll(async () => {
        await page.evaluate(() => window.forms[0]?.submit());
        return (await checkout.events('processing')).length;
      })
      .toBe(1);
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });

  test('threat-model 1.4: moving the button to the page is refused once a card is typed, so submit() pays nothing', async ({
    checkout,
    intent,
    page,
    service,
  }) => {
    await checkout.ready();
    await checkout.fillCard(CARD.visa);
    await page.evaluate(() => window.forms[0]?.update({ payButton: 'host' }));
    expect(await checkout.hears('warning')).toMatchObject({ about: 'payButton' });
    await page.evaluate(() => window.forms[0]?.submit());
    await expect(checkout.payButton).toBeVisible();
    expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
  });
});
