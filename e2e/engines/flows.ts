/**
 * Flows that must be the same in every engine: paying, a decline and another card, a changed total, a lost answer. Each
 * ends with the service's record, since only that shows the charge.
 */

import { readManifest } from '../hosting/hosting.ts';
import { BUYER, CARD, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, type test as withService } from '../support/fixtures.ts';
import { withRunReport } from '../support/tampering-proxy.ts';
import type { Buyer, Place, Spot } from './buyer.ts';

/**
 * Chromium skips tests with this tag: each of these rules has its own, more thorough test in `e2e/paying`, `press`,
 * `security`, `developer` or `access`. Tests that exist only for the engines also run in Chromium.
 */
export const OTHER_ENGINES = '@other-engines';

export type EngineTest = ReturnType<typeof withService.extend<{ buyer: Buyer }>>;

const PAID = 'Payment received';
const DECLINED = 'Your card was declined. Check the details or use another card.';
const { name: _, ...WITHOUT_NAME } = KNOWN_BUYER.billingDetails;
const UNDER_WAY = /^(Confirming your payment|Still confirming with your bank|Your bank (is|has not))/;

/** The number of forms that scripts fill in. */
const FILLINGS = Number(process.env.FILLINGS || 2);

const typeCard = async (buyer: Buyer, number: string) => {
  await buyer.type('number', number);
  await buyer.type('expiry', BUYER.expiry);
  await buyer.type('code', BUYER.code);
};

const expectPaid = async (buyer: Buyer, sentence: string) => {
  await expect.poll(() => buyer.outcome()).toBe(PAID);
  expect(await buyer.notice()).toContain(sentence);
  expect(await buyer.button()).toBeNull();
};

/** Checks the result that the page received; `amount_total` in minor units. */
const expectResult = async (buyer: Buyer, paymentIntent: { id: string; amount_total: number }) => {
  await expect.poll(() => buyer.events('result')).toMatchObject([{ outcome: 'succeeded', paymentIntent }]);
  await expect
    .poll(() => buyer.events('result promise'))
    .toMatchObject([{ outcome: 'succeeded', paymentIntent }]);
};

const grouped = (number: string) => number.replace(/(?<=\d)(?=(\d{4})+$)/g, ' ');

/** Runs in the form: the selected part of a field's text. */
const selectedText = () => {
  const field = document.activeElement;
  return field instanceof HTMLInputElement
    ? field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)
    : null;
};

const within = ({ x, y, width, height }: Place, part: number): Spot => ({
  x: x + width * part,
  y: y + height / 2,
});

/** Ways a buyer enters the number field, which already has the focus, and types another number. */
const INTO_NUMBER: Readonly<Record<string, (buyer: Buyer, next: string, at: Place) => Promise<unknown>>> = {
  'by typing at once': (buyer, next) => buyer.write(next),
  'by a click in its middle': async (buyer, next, at) => {
    await buyer.mouse(within(at, 0.2), 1);
    await buyer.write(next);
  },
  'by a click at its end': async (buyer, next, at) => {
    await buyer.mouse(within(at, 0.8), 1);
    await buyer.write(next);
  },
  'by a double click': async (buyer, next, at) => {
    await buyer.mouse(within(at, 0.2), 2);
    await buyer.write(next);
  },
  'by dragging over some of its digits': async (buyer, next, at) => {
    await buyer.mouse(within(at, 0.1), 1, within(at, 0.25));
    await buyer.write(next);
  },
  'by touch': async (buyer, next, at) => {
    await buyer.tap(within(at, 0.2));
    await buyer.write(next);
  },
  'by Tab, from another field': async (buyer, next) => {
    await buyer.press('Tab');
    await buyer.hold('Shift', 'Tab');
    await buyer.write(next);
  },
  'by a click, from another field': async (buyer, next, at) => {
    await buyer.press('Tab');
    await buyer.mouse(within(at, 0.2), 1);
    await buyer.write(next);
  },
  'by pasting after a click': async (buyer, next, at) => {
    await buyer.inPage((text) => {
      const note = document.querySelector<HTMLInputElement>('#note');
      if (note) note.value = text;
      note?.focus();
      note?.select();
    }, grouped(next));
    await buyer.hold('Control', 'c');
    await buyer.mouse(within(at, 0.2), 1);
    await buyer.hold('Control', 'v');
  },
  'by dropping it there': (buyer, next) =>
    buyer.inForm((text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text', text);
      const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer });
      document.querySelector('#field-number')?.dispatchEvent(drop);
    }, next),
};

/** Defines the flows for an engine; `test` is given its buyer. */
export const defineFlows = (test: EngineTest) => {
  // Some engines take seconds to open a browser.

  test('threat-model 2.1, 2.4: a buyer fills in everything and pays once, among elements that clobber the names the script reads, with a loader pinned by integrity', {
    tag: OTHER_ENGINES,
  }, async ({ buyer, serve, service }) => {
    const names = ['currentScript', 'createElement', 'querySelector', 'prerendering', 'host'];
    const body = `${names.map((name) => `<form name="${name}"></form>`).join('')}
<a id="CardForm"></a><a id="CardForm" name="mount"></a><div id="card-form"></div>`;
    const attributes = `integrity="${service.integrity}" crossorigin`;
    const intent = await service.createIntent();
    await buyer.open(serve(intent, { body, attributes }));
    await expect.poll(() => buyer.total()).toBe('$58.04');
    await typeCard(buyer, CARD.visa);
    for (const name of ['name', 'email', 'line1', 'city', 'zip'] as const)
      await buyer.type(name, BUYER[name]);
    await buyer.choose('state', BUYER.state);
    expect(await buyer.value('number')).toBe('4242 4242 4242 4242');
    expect(await buyer.value('expiry')).toBe('12 / 34');
    expect(await buyer.value('state')).toBe('OR');
    expect(await buyer.button()).toBe('Pay $58.04');
    await buyer.pay();

    await expectPaid(buyer, '$58.04 paid');
    await expectResult(buyer, { id: intent.id, amount_total: 5804 });
    await expect.poll(() => buyer.events('processing')).toHaveLength(1);
    expect(await buyer.events('error')).toEqual([]);
    expect(await service.record(intent.id)).toMatchObject({
      payment_intent: {
        status: 'succeeded',
        confirmation_attempts: 1,
        billing_details: {
          name: BUYER.name,
          email: BUYER.email,
          address: {
            line1: BUYER.line1,
            line2: null,
            city: BUYER.city,
            state: BUYER.state,
            postal_code: BUYER.zip,
            country: 'US',
          },
        },
      },
      charges: 1,
      confirms: 1,
      releases: 0,
    });
  });

  test('threat-model 2.3: an altered form.js, page.js or text is not used, and the container says so', {
    tag: OTHER_ENGINES,
  }, async ({ tampering, buyer, merchant, serve, service, watch }) => {
    watch.expect(/integrity|dynamically imported module|module script|Failed to load|loading failed|Error/i);
    const { release } = await readManifest();
    const intent = await service.createIntent();
    const says = `<script>
      new MutationObserver(() => window.events?.push({ form: 0, name: 'says', detail: document.querySelector('#card-form').textContent }))
        .observe(document.querySelector('#card-form'), { childList: true });
      addEventListener('message', ({ data }) => { if (data === 'altered') window.events.push({ form: 0, name: 'ran' }) });
    </script>`;
    const loader = (attributes: string) =>
      `<script ${attributes} src="${tampering.url}/partner/v1/card-form.js"></script>`;
    const folder = `/partner/v1/card-form/${release}`;
    const last = async (name: string) => (await buyer.events(name)).at(-1);

    tampering.alter({ address: `${folder}/assets/form.js`, alter: withRunReport });
    await buyer.visit(serve(intent, { loaders: 0, body: `<div id="card-form"></div>${says}${loader('')}` }));
    await expect.poll(() => last('loaderror')).toMatchObject({ reason: 'integrity' });
    await expect.poll(() => last('says')).toBe('Card form does not load. (integrity) Try again');
    expect(await buyer.events('ran')).toEqual([]);

    tampering.alter({
      address: `${folder}/assets/de.json`,
      alter: (text) => text.replace('Karte', 'Kasse'),
    });
    const body = `<div id="card-form"></div>${says}${loader('')}`;
    await buyer.visit(serve(intent, { loaders: 0, body, options: { locale: 'de' } }));
    await expect.poll(() => last('loaderror')).toMatchObject({ reason: 'integrity' });
    await expect.poll(() => last('says')).toBe('Card form does not load. (integrity) Try again');

    tampering.alter({ address: `${folder}/page.js`, alter: withRunReport });
    const place = `<div id="card-form" data-card-form data-client-secret="${intent.client_secret}"></div>`;
    const tag = loader(`data-card-form data-publishable-key="${service.keys.publishable}"`);
    const url = merchant.serve({ loaders: 0, body: `${place}${says}${tag}` });
    await buyer.visit(url);
    await expect.poll(() => last('says')).toContain('Card form does not load. (csp, integrity)');
    expect(await buyer.events('ran')).toEqual([]);

    tampering.alter(null);
    await buyer.open(url);
    await expect.poll(() => buyer.total()).toBe('$58.04');
    await expect.poll(() => buyer.canPay()).toBe(true);
  });

  test.describe('when the store knows the billing details', () => {
    test.use({ knownBuyer: true });

    test('a press before form.js has arrived waits for it, and pays once', { tag: OTHER_ENGINES }, async ({
      buyer,
      serve,
      service,
      tampering,
    }) => {
      const { release } = await readManifest();
      const arrive = tampering.hold(`/partner/v1/card-form/${release}/assets/form.js`);
      const intent = await service.createIntent();
      const loader = `<script src="${tampering.url}/partner/v1/card-form.js"></script>`;
      await buyer.open(serve(intent, { loaders: 0, body: `<div id="card-form"></div>${loader}` }));
      await typeCard(buyer, CARD.visa);
      await expect.poll(() => buyer.canPay()).toBe(true);
      await buyer.pay();
      expect(await buyer.events('ready')).toEqual([]);
      expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
      arrive();
      await expectPaid(buyer, '$58.04 paid');
      await expectResult(buyer, { id: intent.id, amount_total: 5804 });
      expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
    });

    test('promises 1.1, 1.14: a page whose sandbox forbids forms, and which holds the address back until consent, can be paid', {
      tag: OTHER_ENGINES,
    }, async ({ buyer, serve, service }) => {
      const intent = await service.createIntent();
      const body = `<div id="card-form"></div><script>
        const observer = new MutationObserver(() => {
          const iframe = document.querySelector('#card-form iframe');
          if (!iframe) return;
          observer.disconnect();
          const { src } = iframe;
          iframe.src = 'about:blank';
          addEventListener('message', ({ data }) => { if (data === 'consent') iframe.src = src; });
        });
        observer.observe(document.body, { childList: true, subtree: true });
      </script>`;
      await buyer.visit(serve(intent, { body, policy: 'sandbox allow-scripts allow-same-origin' }));
      await expect
        .poll(() => buyer.inPage(() => document.querySelector('iframe')?.src ?? '', ''))
        .toBe('about:blank');
      await buyer.inPage((text) => window.postMessage(text), 'consent');
      await expect.poll(() => buyer.total()).toBe('$58.04');
      await typeCard(buyer, CARD.visa);
      await buyer.pay();
      await expectPaid(buyer, '$58.04 paid');
      await expectResult(buyer, { id: intent.id, amount_total: 5804 });
      expect(await buyer.events('loaderror')).toEqual([]);
      expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
    });

    test.describe('on touch screens too', () => {
      test.use({ hasTouch: true });

      test('promises 2.9: whichever way a buyer enters a refused number, the next number replaces it', async ({
        buyer,
        serve,
        service,
      }) => {
        const body = '<main><h1>Checkout</h1><input id="note"><div id="card-form"></div></main>';
        const ways = Object.entries(INTO_NUMBER).filter(
          ([way]) => way !== 'by a double click' || buyer.canDoubleClick,
        );
        const cards = [
          CARD.insufficientFunds,
          CARD.lost,
          CARD.insufficientFunds,
          CARD.lost,
          CARD.insufficientFunds,
        ];
        // A payment has five attempts.
        for (let first = 0; first < ways.length; first += 4) {
          await buyer.open(serve(await service.createIntent(), { body }));
          await typeCard(buyer, CARD.insufficientFunds);
          for (const [turn, [way, enter]] of ways.slice(first, first + 4).entries()) {
            const [refused = '', next = ''] = cards.slice(turn);
            await buyer.pay();
            await expect.poll(() => buyer.focused(), way).toBe('Card number');
            await expect.poll(() => buyer.inForm(selectedText, null), way).toBe(grouped(refused));
            await enter(buyer, next, await buyer.place('#field-number'));
            await expect.poll(() => buyer.value('number'), way).toBe(grouped(next));
            await buyer.type('code', BUYER.code);
          }
        }
      });
    });

    test('promises 2.11: whatever fills in the fields, with whatever events, the form charges what they show and prints it on the receipt', async ({
      buyer,
      serve,
      service,
    }) => {
      const cards: readonly (readonly [number: string, receipt: string, cvc: string])[] = [
        ['4242424242424242', 'Visa •••• 4242', '123'],
        ['5555555555554444', 'Mastercard •••• 4444', '321'],
        ['378282246310005', 'American Express •••• 0005', '1234'],
        [CARD.declined, '', '555'],
      ];
      const events = [[], ['input'], ['change'], ['input', 'change', 'blur'], ['keydown', 'keyup']];
      for (let run = 0; run < FILLINGS; run += 1) {
        /** State of the generator: each run picks in a different order. */
        let turn = Math.imul(run + 1, 2_654_435_761) >>> 0;
        const pick = <One>(of: readonly One[]): One => {
          turn = (Math.imul(turn, 1_664_525) + 1_013_904_223) >>> 0;
          const picked = of[(turn >>> 8) % of.length];
          if (picked === undefined) throw new Error('There is nothing to pick.');
          return picked;
        };
        const fill = async (values: Readonly<Record<string, string>>) => {
          const steps = Object.entries(values).map(([id, value]) => ({ id, value, events: pick(events) }));
          await buyer.inForm((all) => {
            for (const { id, value, events } of all) {
              const field = document.getElementById(`field-${id}`);
              if (!(field instanceof HTMLInputElement)) throw new Error(`There is no ${id}.`);
              field.value = value;
              for (const type of events) field.dispatchEvent(new Event(type, { bubbles: true }));
            }
          }, steps);
        };
        const intent = await service.createIntent();
        await buyer.open(serve(intent, { options: { defaultValues: { billingDetails: WITHOUT_NAME } } }));
        if (pick([true, false])) await expect.poll(() => buyer.canPay()).toBe(true);
        const filled: string[] = [];
        for (let attempt = 0; ; attempt += 1) {
          const [number, receipt, cvc] = attempt < 2 ? pick(cards) : pick(cards.slice(0, 1));
          const name = pick(['Ada Lovelace', 'Grace Hopper']);
          if (pick([true, false])) await typeCard(buyer, CARD.mastercard);
          else await buyer.type('code', '1'); // a buyer's pointer has been in the form
          await fill({ number, expiry: pick(['12/34', '0531']), cvc, ...(attempt === 0 && { name }) });
          filled.push(name);
          await expect.poll(() => buyer.canPay()).toBe(true);
          await buyer.pay();
          if (receipt === '') {
            await expect.poll(() => buyer.notice(), `run ${run}`).toBe(DECLINED);
            await expect.poll(() => buyer.button()).toBe('Pay $58.04');
            continue;
          }
          await expectPaid(buyer, '$58.04 paid');
          const shown = await buyer.inForm(() => document.body.textContent, null);
          expect(shown, `run ${run}`).toContain(receipt);
          expect(await service.record(intent.id), `run ${run}`).toMatchObject({
            payment_intent: { billing_details: { name: filled[0] } },
            charges: 1,
            confirms: attempt + 1,
          });
          break;
        }
      }
    });

    test('after a decline the buyer pays with another card; after a 409 the buyer sees both totals, and only a second press pays', {
      tag: OTHER_ENGINES,
    }, async ({ buyer, serve, service }) => {
      const intent = await service.createIntent();
      await buyer.open(serve(intent));
      await typeCard(buyer, CARD.declined);
      await buyer.pay();
      await expect.poll(() => buyer.notice()).toBe(DECLINED);
      await expect.poll(() => buyer.button()).toBe('Pay $58.04');
      await expect.poll(() => buyer.focused()).toBe('Card number');
      expect(await buyer.value('number')).toBe('4000 0000 0000 0002');
      expect(await buyer.value('code')).toBe('');
      await expect.poll(() => buyer.events('decline')).toMatchObject([{ error: { charged: 'no' } }]);
      expect(await buyer.events('result')).toEqual([]);
      expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1, releases: 1 });

      await typeCard(buyer, CARD.visa);
      await service.changeAmount(intent.id, 7000);
      await buyer.pay();
      await expect
        .poll(() => buyer.notice())
        .toBe('The total changed from $58.04 to $70.00. Review it and press the button again.');
      expect(await buyer.button()).toBe('Pay $70.00');
      expect(await buyer.total()).toBe('$70.00');
      expect(await buyer.value('number')).toBe('4242 4242 4242 4242');
      expect(await buyer.value('code')).toBe('123');
      const change = { previous: 5804, current: 7000, currency: 'usd' };
      await expect.poll(() => buyer.events('amountchange')).toMatchObject([change]);
      expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 2, releases: 1 });

      await buyer.pay();
      await expectPaid(buyer, '$70.00 paid');
      await expectResult(buyer, { id: intent.id, amount_total: 7000 });
      expect(await service.record(intent.id)).toMatchObject({
        payment_intent: { amount_total: 7000, confirmation_attempts: 2 },
        charges: 1,
        confirms: 3,
        releases: 1,
      });
    });

    test('a lost answer: the card is charged, the connection is cut, and the form learns the outcome by reading', {
      tag: OTHER_ENGINES,
    }, async ({ buyer, serve, service }) => {
      const intent = await service.createIntent();
      // Every delivery, because a browser resends a POST on its own when a reused connection is cut.
      await service.nextAnswer({ route: 'client.confirm', cut: 'after', times: 10 });
      await buyer.open(serve(intent));
      await typeCard(buyer, CARD.visa);
      await buyer.pay();

      await expectPaid(buyer, '$58.04 paid');
      await expectResult(buyer, { id: intent.id, amount_total: 5804 });
      await expect.poll(() => buyer.events('processing')).toHaveLength(1);
      expect(await buyer.events('decline')).toEqual([]);
      const { charges, releases, requests } = await service.record(intent.id);
      expect({ charges, releases }).toEqual({ charges: 1, releases: 0 });
      const confirms = requests.filter(({ route }) => route === 'client.confirm');
      expect((await buyer.sent()) ?? confirms.length).toBe(1);
      expect(confirms[0]).toMatchObject({ status: 'cut', attempt: 1 });
      for (const again of confirms.slice(1)) expect(again).toMatchObject({ status: 'cut', attempt: null });
      expect(requests.at(-1)).toMatchObject({ route: 'client.retrieve', status: 200 });
    });

    test('a reload while the payment is under way shows it paid, without a second confirm', {
      tag: OTHER_ENGINES,
    }, async ({ buyer, serve, service }) => {
      const intent = await service.createIntent();
      await service.nextAnswer({ route: 'client.confirm', never: true });
      await buyer.open(serve(intent));
      await typeCard(buyer, CARD.visa);
      await buyer.pay();
      await expect.poll(() => buyer.notice()).toMatch(UNDER_WAY);
      await expect.poll(async () => (await service.record(intent.id)).charges).toBe(1);
      await buyer.reload();
      await expectPaid(buyer, '$58.04 paid');
      await expectResult(buyer, { id: intent.id, amount_total: 5804 });
      await buyer.reload();
      await expectPaid(buyer, '$58.04 paid');
      expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
    });

    test('a buyer can pay without a pointer', { tag: OTHER_ENGINES }, async ({ buyer, serve, service }) => {
      const intent = await service.createIntent();
      await buyer.open(serve(intent));
      await expect.poll(() => buyer.button()).toBe('Pay $58.04');
      await buyer.begin();
      const expectNext = async (name: string) => {
        await buyer.press('Tab');
        await expect.poll(() => buyer.focused()).toBe(name);
      };
      await expectNext('Details');
      await expectNext('Card number');
      await buyer.write(CARD.visa);
      await expectNext('Expiry date');
      await buyer.write('1234');
      await expectNext('Security code');
      await buyer.write(BUYER.code);
      // No driver delays a key until the total has been seen: like a buyer who is asked to, this presses again.
      await expect(async () => {
        await buyer.press('Enter');
        await expect.poll(() => buyer.outcome(), { timeout: 2000 }).toBe(PAID);
      }).toPass();
      await expectPaid(buyer, '$58.04 paid');
      expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
    });
  });
};
