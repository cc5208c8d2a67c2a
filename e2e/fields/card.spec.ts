/**
 * promises 2.4: typing a card: groups, caret, paste, drop, composition, autofill, moving from field to field. Real keys
 * throughout.
 */
import type { CDPSession, Locator } from 'playwright/test';
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { formFrame } from '../support/form-frame.ts';
import { holdRequests } from '../support/hold-requests.ts';

test.use({ knownBuyer: true });

type Shown = { value: string; start: number; end: number };

const shownIn = (input: Locator): Promise<Shown> =>
  input.evaluate((element) => {
    if (!(element instanceof HTMLInputElement)) throw new Error('That is no input.');
    const { value, selectionStart, selectionEnd } = element;
    return { value, start: selectionStart ?? 0, end: selectionEnd ?? 0 };
  });

test('threat-model C45: pasted and dropped text is read and inserted at the caret; the focus stays', async ({
  open,
  page,
  service,
}) => {
  const checkout = await open(await service.createIntent(), {
    body: '<textarea id="source"></textarea><div id="card-form"></div>',
  });
  await checkout.ready();
  const number = checkout.field('number');
  const copy = async (text: string) => {
    await page.locator('#source').fill(text);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
  };
  for (const [text, shown] of [
    ['4242-4242-4242-4242', '4242 4242 4242 4242'],
    ['\u200e4242\u00a04242\n４２４２　٤٢٤٢\u200f', '4242 4242 4242 4242'],
    ['Card: 3782 822463 10005', '3782 822463 10005'],
  ] as const) {
    await copy(text);
    await number.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+v');
    await expect(number).toHaveValue(shown);
    await expect(number).toBeFocused();
  }

  await copy('99-88');
  await number.fill('42424242');
  await number.press('Home');
  for (const _ of '42424') await page.keyboard.press('ArrowRight'); // before the separator, then after it
  await page.keyboard.press('Control+v');
  expect(await shownIn(number)).toEqual({ value: '4242 9988 4242', start: 10, end: 10 });
  await page.keyboard.press('Delete');
  await expect(number).toHaveValue('4242 9988 242');
  for (const _ of '88') await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Control+x');
  await expect(number).toHaveValue('4242 9924 2');

  await number.fill('');
  const box = await checkout.field('number').boundingBox();
  if (!box) throw new Error('The number is not to be seen.');
  const session = await page.context().newCDPSession(page);
  const data = {
    items: [{ mimeType: 'text/plain', data: '3782-8224-6310-0059' }],
    dragOperationsMask: 1,
  };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: box.x + 40, y: box.y + box.height / 2, data });
  // Drops one digit more than American Express has.
  await expect(checkout.field('number')).toHaveValue('3782 822463 10005');
  await expect(checkout.field('number')).toHaveAccessibleDescription('American Express');
});

test.describe('text composed by an input method', () => {
  /** A phone's key: it has no name, and its text arrives by composition. */
  const compose = async (session: CDPSession, text: string) => {
    const key = { windowsVirtualKeyCode: 229, key: 'Unidentified', code: '' };
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
    await session.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
  };

  test('counts during composition, is not disturbed, and is grouped when it ends and on blur', async ({
    checkout,
    page,
  }) => {
    await checkout.ready();
    const input = checkout.field('number');
    await input.focus();
    const session = await page.context().newCDPSession(formFrame(page));
    for (let length = 1; length <= 6; length += 1) await compose(session, '424242'.slice(0, length));
    expect(await shownIn(input)).toEqual({ value: '424242', start: 6, end: 6 });
    await expect(input).toHaveAccessibleDescription('Visa');
    await session.send('Input.insertText', { text: '424242' });
    expect(await shownIn(input)).toEqual({ value: '4242 42', start: 7, end: 7 });
    // The next word goes to the end of the grouped digits, in another script's digits.
    for (let length = 1; length <= 3; length += 1) await compose(session, '٤٢٤'.slice(0, length));
    await session.send('Input.insertText', { text: '٤٢٤' });
    expect(await shownIn(input)).toEqual({ value: '4242 4242 4', start: 11, end: 11 });

    // If the field loses the focus during a composition, the text is kept and grouped.
    await input.fill('');
    for (let length = 1; length <= 16; length += 1) await compose(session, CARD.visa.slice(0, length));
    // The last digit completed the number, which moves the focus on as any key does.
    await expect(checkout.field('expiry')).toBeFocused();
    await expect(checkout.field('number')).toHaveValue('4242 4242 4242 4242');
    for (let length = 1; length <= 3; length += 1) await compose(session, '123'.slice(0, length));
    await checkout.field('code').focus();
    await expect(checkout.field('expiry')).toHaveValue('12 / 3');
  });
});

test('an autofilled expiry date is accepted, also over another one, and does not move the focus', async ({
  checkout,
}) => {
  await checkout.ready();
  await checkout.field('number').focus();
  const fillIn = (value: string) =>
    checkout.field('expiry').evaluate((element, filled) => {
      if (!(element instanceof HTMLInputElement)) throw new Error('That is no input.');
      element.value = filled;
      element.dispatchEvent(new Event('input', { bubbles: true }));
      element.dispatchEvent(new Event('change', { bubbles: true }));
    }, value);
  for (const [text, shown] of [
    ['1229', '12 / 29'],
    ['2029-12', '12 / 2029'],
    ['1/29', '01 / 29'],
  ] as const) {
    for (const first of ['', '03/31']) {
      await fillIn(first);
      await fillIn(text);
      await expect(checkout.field('expiry')).toHaveValue(shown);
    }
  }
  await expect(checkout.field('number')).toBeFocused();
  await checkout.field('number').fill(CARD.visa);
  await checkout.field('code').fill('123');
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
});

test.describe('moving between the fields', () => {
  test('a card is typed without Tab, a habitual Tab skips no field, and Backspace goes back', async ({
    checkout,
    page,
  }) => {
    await checkout.ready();
    const [number, expiry, code] = [
      checkout.field('number'),
      checkout.field('expiry'),
      checkout.field('code'),
    ];
    await number.focus();
    await expect(number).toHaveAccessibleDescription(
      'When this field is complete, the focus moves to the next one.',
    );
    await page.keyboard.type(`${CARD.visa}1234`);
    await expect(code).toBeFocused();
    await page.keyboard.press('Backspace');
    await expect(expiry).toBeFocused();
    expect(await shownIn(expiry)).toEqual({ value: '12 / 34', start: 7, end: 7 });
    // Held down: the browser marks every key after the first as a repeat.
    for (let key = 0; key < 12; key += 1) await page.keyboard.down('Backspace');
    await page.keyboard.up('Backspace');
    await expect(expiry).toHaveValue('');
    await expect(expiry).toBeFocused();
    await code.focus();
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await expect(number).toBeFocused();
    await expect(number).toHaveValue('4242 4242 4242 4242');

    await number.fill('');
    await page.keyboard.type(CARD.amex);
    await page.keyboard.press('Tab');
    await expect(expiry).toBeFocused();
    await page.keyboard.type('12/34');
    await page.keyboard.press('Tab');
    await expect(code).toBeFocused();
    // The second one is meant.
    await page.keyboard.press('Tab');
    await expect(checkout.frame.locator('.code-help summary')).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('123');
    await expect(code).toHaveValue('123');
    await expect(code).toBeFocused();
  });

  test('the focus stays in a doubtful or corrected number, and moves on when a number replaces another', async ({
    checkout,
    page,
  }) => {
    await checkout.ready();
    const input = checkout.field('number');
    // The number may be longer, has a mistake, or is of no brand we know.
    for (const digits of ['6200000000000005', '4242424242424241', '9999999999999995']) {
      await input.fill('');
      await input.focus();
      await page.keyboard.type(digits);
      await expect(input).toBeFocused();
    }
    await input.fill('');
    await page.keyboard.type('424242424242442');
    for (const _ of '12') await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('2');
    await expect(input).toHaveValue('4242 4242 4242 4242');
    await expect(input).toBeFocused();

    await checkout.field('code').focus();
    await input.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('2');
    await expect(input).toHaveValue('4242 4242 4242 4242');
    await expect(input).toBeFocused();

    await checkout.field('expiry').fill('12/34');
    await input.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(CARD.mastercard);
    await expect(input).toHaveValue('5555 5555 5555 4444');
    await expect(checkout.field('expiry')).toBeFocused();
    await page.keyboard.type('1130'); // the text was selected
    await expect(checkout.field('expiry')).toHaveValue('11 / 30');
  });
});

test.describe('the brand', () => {
  test('shows the possible brands, then the one, and is announced once, not for every key', async ({
    checkout,
    page,
  }) => {
    await checkout.ready();
    // At first the button is drawn as one that can't be pressed yet.
    await expect(checkout.payButton).not.toHaveAttribute('data-early');
    const input = checkout.field('number');
    const marks = () =>
      checkout.frame
        .locator('.brand')
        .evaluateAll((all) => all.map((mark) => mark.getAttribute('data-brand')));
    await expect.poll(marks).toEqual(['visa', 'mastercard', 'amex', 'discover']);
    await input.focus();
    await page.keyboard.type('3');
    await expect.poll(marks).toEqual(['amex', 'diners', 'jcb']);
    await expect(input).toHaveAccessibleDescription('');
    await page.keyboard.type('7');
    await expect.poll(marks).toEqual(['amex']);
    await expect(input).toHaveAccessibleDescription('American Express');
    // From here to the last digit but one, a key changes nothing in the document except the value itself.
    const changes = await checkout.frame.locator(':root').evaluateHandle((root) => {
      const seen: string[] = [];
      new MutationObserver((records) => {
        for (const { type, target } of records) seen.push(`${type} ${target.nodeName}`);
      }).observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
      return seen;
    });
    await page.keyboard.type('828224631000');
    await expect(input).toHaveValue('3782 822463 1000');
    expect(await changes.jsonValue()).toEqual([]);
  });
});

test.describe('the help about the security code', () => {
  test('opens by key and by touch, for every brand, and loses nothing typed', async ({ checkout, page }) => {
    await checkout.ready();
    const help = checkout.frame.locator('.code-help');
    const back = help.getByText('The 3 digits on the back of your card');
    const front = help.getByText('The 4 digits on the front of your card');
    await checkout.field('code').fill('12');
    await checkout.field('code').press('Tab');
    await expect(help.locator('summary')).toBeFocused();
    await expect(help.locator('summary')).toHaveText('What is the security code?');
    await expect(back).toBeHidden();
    await page.keyboard.press('Enter');
    await expect(back).toBeVisible();
    await expect(front).toBeVisible();
    await checkout.field('number').fill('37');
    await expect(back).toHaveCount(0);
    await expect(front).toBeVisible();
    await expect(checkout.field('code')).toHaveAttribute('placeholder', 'CID');
    await checkout.field('number').fill('42');
    await expect(front).toHaveCount(0);
    await expect(back).toBeVisible();
    await expect(checkout.field('code')).toHaveAttribute('placeholder', 'CVV');
    await help.locator('summary').click();
    await expect(back).toBeHidden();
    await expect(checkout.field('code')).toHaveValue('12');
    const box = await help.locator('summary').boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
  });
});

test('with autoAdvance: false the focus stays in a complete field, and Backspace stays in an empty one, before and after the form has loaded', async ({
  open,
  page,
  service,
}) => {
  const { release } = await holdRequests(page, /\/(payment|form)\.js$/);
  const checkout = await open(await service.createIntent(), { options: { autoAdvance: false } });
  const number = checkout.field('number');
  const stays = async () => {
    await number.fill('');
    await number.pressSequentially('4242424242424242');
    await expect(number).toBeFocused();
    await checkout.field('expiry').press('Backspace');
    await expect(checkout.field('expiry')).toBeFocused();
  };
  await stays();
  release();
  await checkout.ready();
  await stays();
  await number.fill('');
  await expect(number).not.toHaveAttribute('aria-describedby', 'about-number'); // would announce that the focus moves
});
