/** promises 2.1, 2.8: WCAG 2.2 AA, criterion by criterion as in ACCESSIBILITY.md; keyboard.spec.ts tests the keys. */
import type { Locator } from 'playwright/test';
import { violations } from '../support/axe.ts';
import { BUYER, CARD, type FieldName } from '../support/checkout-page.ts';
import { expect, type Open, test } from '../support/fixtures.ts';
import { type Form, STATE_NAMES, STATES } from '../support/form-states.ts';
import { NO_OVERFLOW, overflowOf } from '../support/overflow.ts';

declare global {
  interface Window {
    /** Announcements for screen readers, in order. */
    said: string[];
  }
}

const PAGE = `
:root { color-scheme: light dark }
body { background: light-dark(#fff, #121214); color: light-dark(#000, #fff) }
`;

/** Colour schemes and forced colours, with the page's background behind the form. */
const LIGHT = {
  media: { colorScheme: 'light', forcedColors: 'none' },
  ground: 'rgb(255, 255, 255)',
} as const;
const DARK = { media: { colorScheme: 'dark', forcedColors: 'none' }, ground: 'rgb(18, 18, 20)' } as const;
const FORCED_LIGHT = { media: { colorScheme: 'light', forcedColors: 'active' }, ground: 'Canvas' } as const;
const FORCED_DARK = { media: { colorScheme: 'dark', forcedColors: 'active' }, ground: 'Canvas' } as const;

/** Every element that can be clicked, tapped or focused. */
const TARGETS = 'button, summary, a, input, select, [tabindex="0"]';

/** States that differ in which texts could be cut off. */
const SPACED = [
  'ready',
  'details',
  'problems',
  'declined',
  'second-card',
  'unknown',
  'floating',
  'grouped',
  'grouped-problems',
] as const;

/** How far a document can scroll. */
const scrolls = (root: Element) => [
  root.scrollWidth - root.clientWidth,
  root.scrollHeight - root.clientHeight,
];

/** 1.4.12: spaces text out as a buyer may, and expects nothing to be cut off, even in words as long as German ones. */
const expectRoomForSpacing = async ({ page, root }: Form) => {
  await root.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
    );
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
  for (const language of ['en', 'de']) {
    await page.evaluate((locale) => window.forms[0]?.update({ locale }), language);
    await expect(root).toHaveAttribute('lang', language);
    await expect.poll(() => overflowOf(root), `spaced out, in ${language}`).toEqual(NO_OVERFLOW);
    await expect.poll(() => root.evaluate(scrolls), `spaced out, in ${language}`).toEqual([0, 0]);
  }
};

test.describe('in every state', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 320, height: 1500 } });

  for (const [at, state] of STATE_NAMES.entries()) {
    test.describe(() => {
      test.use({ sandboxOptions: state === 'exhausted' ? { attempts: 1 } : {} });

      test(`${state}: axe finds nothing in light, dark and forced colours; it fits 900, 320 and 200 px, without a scroll bar; targets are 24 px; nothing moves`, async ({
        page,
        service,
        open,
      }) => {
        test.slow();
        const painted: Open = (intent, merchantPage) => open(intent, { css: PAGE, ...merchantPage });
        const form = await STATES[state]({ page, service, open: painted, locale: 'en' });

        for (const { media, ground } of [LIGHT, DARK, at % 2 ? FORCED_LIGHT : FORCED_DARK]) {
          await page.emulateMedia(media);
          await expect(form.root).toHaveAttribute('data-scheme', media.colorScheme);
          const [, frame] = page.frames();
          if (!frame) throw new Error('There is no form.');
          expect(await violations(frame, ground), JSON.stringify(media)).toEqual([]);
        }

        const small = await form.frame.locator(TARGETS).evaluateAll((targets) =>
          targets
            .map((target) => ({
              name: target.className || target.tagName,
              ...target.getBoundingClientRect().toJSON(),
            }))
            .filter(({ width, height }) => width < 24 || height < 24),
        );
        expect(small).toEqual([]);

        const moving = () =>
          form.root.evaluate(
            () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
          );
        await expect.poll(moving).toBe(0);

        for (const width of [900, 320, 200]) {
          await page.setViewportSize({ width, height: 1500 });
          await expect.poll(() => overflowOf(form.root), `${width} px`).toEqual(NO_OVERFLOW);
          await expect.poll(() => form.root.evaluate(scrolls), `${width} px`).toEqual([0, 0]);
          const [sideways] = await page.locator(':root').evaluate(scrolls);
          expect(sideways, `${width} px, the page`).toBe(0);
        }

        if (SPACED.some((one) => one === state)) {
          await page.setViewportSize({ width: 320, height: 1500 });
          await expectRoomForSpacing(form);
        }
      });
    });
  }
});

test('axe finds nothing when the form does not load', async ({ open, page, service, watch }) => {
  watch.expect(/CSP violation: (frame|default)-src|Framing '|Content Security Policy/);
  const policy = `default-src 'self'; script-src 'self' ${service.url}; img-src data:`;
  const checkout = await open(await service.createIntent(), { policy });
  await expect(checkout.fallback).toBeVisible();
  expect(await violations(page.mainFrame(), 'white')).toEqual([]);
});

/** Records what a form's live regions announce from now on, once per change. */
const listen = (root: Locator): Promise<void> =>
  root.evaluate(() => {
    window.said = [];
    const read = (region: Element) => {
      const copy = region.cloneNode(true);
      if (!(copy instanceof Element)) return '';
      for (const silent of copy.querySelectorAll('[aria-hidden="true"]')) silent.remove();
      return (copy.textContent ?? '').trim();
    };
    const regions = () => [...document.querySelectorAll('[role="status"], [role="alert"], [aria-live]')];
    let last = regions().map(read).join('|');
    new MutationObserver(() => {
      const now = regions().map(read).join('|');
      if (now !== last && now !== '') window.said.push(now);
      last = now;
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });

const said = (root: Locator): Promise<readonly string[]> => root.evaluate(() => window.said);

test.describe('4.1.3: a change is announced once, politely, and not for every key', () => {
  test('typing a whole form announces nothing, and a decline is announced once, after "Confirming your payment"', async ({
    checkout,
  }) => {
    await checkout.ready();
    const root = checkout.frame.locator(':root');
    await expect(checkout.frame.locator('[role="status"], [role="alert"], [aria-live]')).toHaveCount(1);
    await listen(root);
    for (const name of ['number', 'expiry', 'code', 'name', 'email', 'line1', 'city', 'zip'] as const) {
      await checkout.field(name).pressSequentially(BUYER[name]);
      await checkout.field(name).press('Tab');
    }
    await checkout.field('number').fill('4242 4242 4242 4241');
    await checkout.field('number').press('Tab');
    await expect(checkout.field('number')).toHaveAttribute('aria-invalid', 'true'); // announced at its field
    expect(await said(root)).toEqual([]);
    await checkout.fillCard(CARD.declined);
    await checkout.pay();
    await expect(checkout.notice).toContainText('declined');
    expect(await said(root)).toEqual([
      'Confirming your payment. Please keep this page open.',
      'Your card was declined. Check the details or use another card.',
    ]);
  });

  test('a countdown is announced once', async ({ time, checkout, service }) => {
    await checkout.fill();
    await service.nextAnswer({ route: 'client.confirm', status: 429, retry_after: 60 });
    await checkout.pay();
    await expect(checkout.notice).toContainText('You can try again in 1:00.');
    const root = checkout.frame.locator(':root');
    await listen(root);
    await time.pass(20, 1);
    await expect(checkout.notice).toContainText(/You can try again in \d\ds\./);
    expect(await said(root)).toEqual([]);
  });
});

test("2.4.2: the iframe has a title, and its document has one in the buyer's language", async ({
  open,
  service,
}) => {
  const { frame, iframe } = await open(await service.createIntent(), { options: { locale: 'de' } });
  await expect(iframe).toHaveAttribute('title', 'Secure card form');
  await expect
    .poll(() => frame.locator(':root').evaluate(() => document.title))
    .toBe('Sicheres Kartenformular');
});

test('2.4.11: the focused element is visible while a buyer tabs through on a small screen', async ({
  open,
  page,
  service,
}) => {
  await page.setViewportSize({ width: 320, height: 400 });
  const checkout = await open(await service.createIntent());
  await checkout.ready();
  await page.keyboard.press('Tab');
  const root = checkout.frame.locator(':root');
  const seen: string[] = [];
  for (let presses = 0; presses < 20; presses += 1) {
    const focused = await root.evaluate(() => {
      const active = document.activeElement;
      const box = active?.getBoundingClientRect();
      if (!active || !box || active === document.body) return null;
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      const style = getComputedStyle(active);
      return {
        name: active.id || active.tagName,
        top: box.top,
        bottom: box.bottom,
        free: top !== null && (active.contains(top) || top.contains(active)),
        shown: style.outlineStyle !== 'none' || style.boxShadow !== 'none',
      };
    });
    if (!focused) break;
    const frame = await checkout.iframe.boundingBox();
    expect(focused, focused.name).toMatchObject({ free: true, shown: true });
    expect((frame?.y ?? 0) + focused.top, focused.name).toBeGreaterThanOrEqual(0);
    expect((frame?.y ?? 0) + focused.bottom, focused.name).toBeLessThanOrEqual(400);
    seen.push(focused.name);
    await page.keyboard.press('Tab');
  }
  expect(seen.length).toBeGreaterThan(12);
  expect(seen).toContain('BUTTON');
});

test('3.3.7: only the security code must be typed again', async ({ checkout }) => {
  await checkout.ready();
  await checkout.fill({ number: CARD.declined });
  await checkout.pay();
  await expect(checkout.notice).toContainText('declined');
  const kept: readonly (readonly [FieldName, string])[] = [
    ['number', '4000 0000 0000 0002'],
    ['expiry', '12 / 34'],
    ['code', ''],
    ['name', BUYER.name],
    ['email', BUYER.email],
    ['line1', BUYER.line1],
    ['city', BUYER.city],
    ['state', BUYER.state],
    ['zip', BUYER.zip],
  ];
  // Name and email are folded to one line, the address to another.
  for (const _ of 'ab') await checkout.frame.getByRole('button', { name: 'Change' }).first().click();
  for (const [name, value] of kept) await expect(checkout.field(name), name).toHaveValue(value);
});

test('1.4.4: at 200 % text size everything is visible and nothing overlaps', async ({
  open,
  page,
  service,
}) => {
  const checkout = await open(await service.createIntent());
  await checkout.ready();
  const root = checkout.frame.locator(':root');
  // The effect of a browser's zoom of 200 % and 400 % on a window of 1280 by 1024.
  for (const [width, height] of [
    [640, 512],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(() => overflowOf(root), `${width} px`).toEqual(NO_OVERFLOW);
    await expect.poll(() => page.locator(':root').evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
  }
  await checkout.fill();
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
});
