/**
 * Attacks of pages that must fail in every engine: hiding the amount, markup, a polluted prototype, keystrokes.
 * `e2e/press` and `e2e/security` play them in Chromium, along with similar ones.
 */
import {
  BARS,
  barsAround,
  boxOver,
  COVERS,
  DELAYS,
  HELD_PICTURE,
  HOLE,
  INSET,
  layOver,
  TRANSITION,
  UNREADABLE,
} from '../press/attacks.ts';
import { earlyFrame } from '../support/built-modules.mjs';
import { BUYER, CARD, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect } from '../support/fixtures.ts';
import type { Buyer } from './buyer.ts';
import { type EngineTest, OTHER_ENGINES } from './flows.ts';

const PLACE = '#card-form';
/** Browsers need part of a second for each of many steps: the usual polling intervals would add up. */
const SOON = { intervals: [50] };

const HEAD = '<!doctype html><title>Shop</title><link rel="icon" href="data:,">';

const lay = (buyer: Buyer, markup: string) => buyer.inPage(layOver, [markup, PLACE] as const);

const style = (buyer: Buyer, css: string) =>
  buyer.inPage((value) => document.querySelector('#card-form')?.setAttribute('style', value), css);

const mapValues = <Value, Result>(values: Readonly<Record<string, Value>>, map: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));

type Attack = (buyer: Buyer) => Promise<unknown>;

/** Ways to hide the whole form, including the request to press again. */
const WHOLE: Readonly<Record<string, Attack>> = {
  ...mapValues(COVERS, (markup) => (buyer) => lay(buyer, markup)),
  ...mapValues(DELAYS, (boxes) => (buyer) => lay(buyer, `${COVERS['opaque box']}${boxes}`)),
  'box with a transition': (buyer) => lay(buyer, TRANSITION),
  ...mapValues(UNREADABLE, (css) => (buyer) => style(buyer, css)),
  // The last one, because it can't be removed.
  'picture of a view transition': async (buyer) => {
    await lay(buyer, `<style>${HELD_PICTURE}</style>`);
    await buyer.inPage(() => {
      const { ready } = document.startViewTransition(() => undefined);
      ready.then(() => window.events.push({ form: 0, name: 'shown', detail: null }));
    }, null);
    await expect.poll(() => buyer.events('shown'), SOON).toHaveLength(1);
  },
};

/** Ways to hide only an amount. */
const PART: Readonly<Record<string, Attack>> = {
  'a hole where the total is': (buyer) => style(buyer, HOLE),
  ...mapValues(BARS, (bars) => async (buyer) => {
    for (const selector of ['.total', '.pay [data-amount]']) {
      const { y, height } = await buyer.place(selector);
      await lay(buyer, barsAround(y + height / 2, bars));
    }
  }),
  'a cover of the amount, in a form with a padding': async (buyer) => {
    await lay(buyer, INSET);
    const { x, y, width, height } = await buyer.place('.pay [data-amount]');
    await lay(buyer, boxOver(x, y, width, height));
  },
};

/** Common overlays of honest pages: a place for messages, a bubble, and a list elsewhere. */
const HONEST = `<div style="position:fixed;inset:0;pointer-events:none;z-index:9"></div>
<button style="position:fixed;right:0;bottom:0;width:64px;height:64px;z-index:9">Chat</button>
<div style="height:40px;overflow:auto">${'<i style="pointer-events:none">.</i>'.repeat(300)}</div>`;

/** Removes the markup laid over the form and the events the page received. Runs in the page. */
const clear = () => {
  window.events = [];
  // Markup may have given an image the name of one of the document's own methods.
  const all: Iterable<Element> = Document.prototype.querySelectorAll.call(document, '#layer, #card-form');
  for (const one of all) {
    if (one.id === 'layer') one.remove();
    else one.removeAttribute('style');
  }
};

/** Runs in the page, where markup may have given an image the name of one of the document's own methods. */
const isInFront = (): boolean => Document.prototype.querySelector.call(document, 'iframe[popover]') !== null;

const mount = (options: object) => {
  window.forms.at(-1)?.unmount();
  window.mountCardForm('#card-form', options);
};

const typeCard = async (buyer: Buyer) => {
  await buyer.type('number', CARD.visa);
  await buyer.write(`1234${BUYER.code}`); // the form moves the focus on
};

export const defineAttacks = (test: EngineTest) => {
  test('threat-model 2.6: whatever hides the amount, Enter pays nothing; on an honest page the first Enter pays', async ({
    buyer,
    merchant,
    service,
  }) => {
    const url = merchant.serve({});
    await buyer.visit(url);
    const fillIn = async () => {
      const { client_secret: clientSecret } = await service.createIntent();
      const { publishable: publishableKey } = service.keys;
      await buyer.inPage(clear, null);
      await buyer.inPage(mount, { publishableKey, clientSecret, locale: 'en', defaultValues: KNOWN_BUYER });
      await expect.poll(() => buyer.button(), SOON).toBe('Pay $58.04');
      await typeCard(buyer);
      await expect.poll(() => buyer.canPay(), SOON).toBe(true);
    };
    /** The code of the error that Enter leads to, or the outcome. */
    const press = async () => {
      const told = async () => {
        const all = [...(await buyer.events('error')), ...(await buyer.events('result'))];
        return /"(?:code|outcome)":"(\w+)"/.exec(JSON.stringify(all))?.[1];
      };
      await buyer.press('Enter');
      await expect.poll(told, SOON).toBeDefined();
      return told();
    };
    const became: Record<string, unknown> = {};
    const play = async (what: string, hide: Attack) => {
      await buyer.press('Escape'); // an earlier refusal has brought the form to the front
      await expect.poll(() => buyer.inPage(isInFront, null), SOON).toBe(false);
      await buyer.inPage(clear, null);
      await hide(buyer);
      do became[what] = await press();
      while (became[what] === 'too_soon');
    };

    await fillIn();
    for (const [what, hide] of Object.entries(WHOLE)) {
      await play(what, hide);
      if (became[what] === 'succeeded') await fillIn();
    }
    await buyer.visit(url);
    for (const [what, hide] of Object.entries(PART)) {
      await fillIn();
      await play(what, hide);
    }
    expect(became).toEqual(mapValues({ ...WHOLE, ...PART }, () => 'obscured'));

    // The form is then in front, with the focus and everything typed, and pays once the amount has been seen there.
    await fillIn();
    await play('a cover that stays', (shown) => lay(shown, COVERS['opaque box'] ?? ''));
    await expect.poll(() => buyer.inPage(isInFront, null), SOON).toBe(true);
    do {
      await buyer.inPage(() => {
        window.events = [];
      }, null);
      became.front = await press();
    } while (became.front === 'too_soon');
    expect(became).toMatchObject({ 'a cover that stays': 'obscured', front: 'succeeded' });

    await fillIn();
    await lay(buyer, HONEST);
    expect(await press()).toBe('succeeded');
  });

  test('threat-model 1.7: an early frame with other attributes is replaced', { tag: OTHER_ENGINES }, async ({
    buyer,
    merchant,
    service,
  }) => {
    const { client_secret: clientSecret } = await service.createIntent();
    const { publishable: publishableKey } = service.keys;
    const early = earlyFrame(service.url).replace(/ sandbox="[^"]*"/, ' name="pay"');
    await buyer.visit(merchant.serve({ body: `<main><div id="card-form">${early}</div></main>` }));
    await buyer.inPage(mount, { publishableKey, clientSecret, locale: 'en' });
    await expect.poll(() => buyer.button()).toBe('Pay $58.04');
    const attributes = await buyer.inPage(
      () => [...document.querySelectorAll('iframe')].map(({ name, sandbox }) => `${name} ${sandbox}`),
      null,
    );
    expect(attributes).toEqual([' allow-scripts allow-same-origin allow-forms allow-modals allow-popups']);
  });

  test('a review image that names the service and that the policy blocks does not stop the form', async ({
    buyer,
    merchant,
    service,
    watch,
  }) => {
    watch.expect(/img-src|Content.Security.Policy/);
    const { client_secret: clientSecret } = await service.createIntent();
    const { publishable: publishableKey } = service.keys;
    await buyer.visit(merchant.serve({ policy: `default-src 'self' ${service.url}; img-src 'none'` }));
    await buyer.inPage(
      ([address, options]) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
          window.events.push({ form: 0, name: 'violation', detail: effectiveDirective }),
        );
        window.mountCardForm('#card-form', options);
        document.body.append(Object.assign(new Image(), { src: address }));
      },
      [`${service.url}/partner/v1/card-form/frame`, { publishableKey, clientSecret, locale: 'en' }] as const,
    );
    await expect.poll(() => buyer.button()).toBe('Pay $58.04');
    expect(await buyer.events('violation')).toEqual(['img-src']);
    expect(await buyer.events('loaderror')).toEqual([]);
  });

  test('threat-model 2.8: a polluted prototype chooses neither the payment nor the next page', {
    tag: OTHER_ENGINES,
  }, async ({ buyer, service, site }) => {
    const [mine, theirs] = [await service.createIntent(), await service.createIntent()];
    const polluted = {
      clientSecret: theirs.client_secret,
      successUrl: '/logout',
      publishableKey: `pk_live_${'9'.repeat(32)}`,
      payButton: 'host',
      locale: 'de',
    };
    const { publishable: publishableKey } = service.keys;
    site.put('/secret', mine.client_secret);
    site.put('/logout', HEAD);
    await buyer.visit(
      site.put(
        '/',
        `${HEAD}<div id="card-form"></div>
<script>Object.assign(Object.prototype, ${JSON.stringify(polluted)})</script>
<script src="${service.url}/partner/v1/card-form.js"></script>
<script>
  const fetchClientSecret = async () => (await fetch('/secret')).text();
  CardForm.mount('#card-form', { ...${JSON.stringify({ publishableKey, locale: 'en', defaultValues: KNOWN_BUYER })}, fetchClientSecret });
</script>`,
      ),
    );
    await expect.poll(() => buyer.button()).toBe('Pay $58.04');
    await typeCard(buyer);
    await buyer.pay();
    await expect.poll(() => buyer.outcome()).toBe('Payment received');
    expect(await service.record(mine.id)).toMatchObject({ charges: 1 });
    expect(await service.record(theirs.id)).toMatchObject({ retrieves: 0, charges: 0 });
    expect(site.requests.map(({ path }) => path)).not.toContain('/logout');
  });

  test('threat-model 2.5: a page that took the focus from a card field cannot return it, and the buyer is warned', {
    tag: OTHER_ENGINES,
  }, async ({ buyer, serve, service }) => {
    await buyer.open(serve(await service.createIntent()));
    await expect.poll(() => buyer.button()).toBe('Pay $58.04');
    const take = () => {
      const trap = document.body.appendChild(document.createElement('input'));
      trap.id = 'trap';
      trap.focus();
    };
    // Only typing within the last second counts as interrupted, and a busy machine may take longer to take the focus.
    await expect(async () => {
      await buyer.inPage(() => document.querySelector('#trap')?.remove(), null);
      await buyer.type('number', '4242');
      await buyer.inPage(take, null);
      await buyer.write('42');
      await buyer.inPage(() => window.forms[0]?.focus('number'), null);
      await expect.poll(() => buyer.events('warning'), { timeout: 2000 }).toMatchObject([{ about: 'focus' }]);
    }).toPass({ timeout: 30_000 });
    await buyer.write('42');
    const trapped = await buyer.inPage(() => document.querySelector<HTMLInputElement>('#trap')?.value, null);
    expect(trapped).toBe('4242');
    await buyer.type('number', '4242');
    await expect.poll(() => buyer.notice()).toMatch(/^The page took the keyboard away while you were typing/);
  });
};
