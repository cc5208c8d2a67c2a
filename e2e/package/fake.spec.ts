/** The real form sends a page the same events as the fake for component tests (`@partner/card-form/testing/fake`). */

import { CARD, type CheckoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { CHANGED_TOTAL, SCENARIOS, type Step } from './fake-scenarios.ts';

test.use({ knownBuyer: true });

/** Events of keys and of the focus, events for developers, and entries that the page's promises add. */
const OTHERS = ['change', 'focus', 'blur', 'warning', 'ready promise', 'result promise'];

const heardBy = ({ page }: CheckoutPage): Promise<readonly string[]> =>
  page.evaluate(
    (others) => window.events.map(({ name }) => name).filter((name) => !others.includes(name)),
    OTHERS,
  );

/** Scenarios that cover each step with the fewest forms. */
const DRIVEN = [
  'a total that changed after a decline',
  'a total that changed before the press',
  'a form that is unmounted before a press',
  'no answer, ever',
];

for (const what of DRIVEN) {
  test(`the real form sends the same events as the fake: ${what}`, { tag: '@thorough' }, async ({
    time,
    open,
    page,
    service,
  }) => {
    const { steps = [], heard = [] } = SCENARIOS[what] ?? {};
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.ready();
    const press = async (number: string) => {
      await checkout.fillCard(number);
      await checkout.pay();
    };
    const act: Readonly<Record<Step, () => Promise<unknown>>> = {
      pay: () => press(CARD.visa),
      decline: () => press(CARD.declined),
      'change the amount': () => service.changeAmount(intent.id, CHANGED_TOTAL),
      refresh: () => page.evaluate(() => window.forms[0]?.refresh()),
      unmount: () => page.evaluate(() => window.forms[0]?.unmount()),
      async 'lose the connection'() {
        await page.route(/\/client\//, (route) => route.abort());
        await press(CARD.visa);
        await expect(checkout.notice).toContainText('Still confirming');
        await time.pass(1500, 15);
      },
    };
    let told = (await heardBy(checkout)).length;
    for (const step of steps) {
      await act[step]();
      if (step === 'change the amount' || step === 'unmount') continue;
      await expect.poll(async () => (await heardBy(checkout)).length, step).toBeGreaterThan(told);
      // The end of a press comes after `processing`.
      await expect.poll(async () => (await heardBy(checkout)).at(-1), step).not.toBe('processing');
      told = (await heardBy(checkout)).length;
    }
    await expect.poll(() => heardBy(checkout)).toEqual(heard);
  });
}
