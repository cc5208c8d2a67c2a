/**
 * threat-model 2.6: a rule, not a list, judges what the form is drawn through and what lies over it. The code knows
 * none of these ways to hide the amount: the first Enter shows the amount and does not pay; the next one pays, since
 * the amount was seen. Honest pages pay at the first.
 */
import type { Page } from 'playwright/test';
import { KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { distance, readPicture } from '../support/pixels.ts';
import { layOver } from './attacks.ts';
import { quickStartForm, quickStartPage } from './quick-start-checkout.ts';

/** Differences from a plain page: styles of the container, of its slot or of everything, and markup over the form. */
type Case = { around?: string; slot?: string; shadow?: string; css?: string; over?: string; wrap?: string };

const OVER = 'position:absolute;&;pointer-events:none;z-index:9';

const HIDDEN: Readonly<Record<string, Case>> = {
  'an opacity with an exponent': { around: 'filter: opacity(1e-7)' },
  'a contrast with an exponent': { around: 'filter: contrast(1e-7)' },
  'a brightness with an exponent': { around: 'filter: brightness(1e-9)' },
  'notched corners': { around: 'border-radius: 50%; corner-shape: notch; overflow: hidden' },
  'scooped corners of the iframe': {
    css: '#payment iframe { border-radius: 50% !important; corner-shape: scoop !important }',
  },
  'turned and pressed flat': { around: 'transform: rotate(45deg) scaleY(.06)' },
  'pressed flat by individual transform properties': { around: 'rotate: 45deg; scale: 1 .06' },
  'a mask': { around: 'mask-image: linear-gradient(#0001, #0001)' },
  'a blend': { around: 'mix-blend-mode: difference; background: #fff' },
  'an outline inwards': { around: 'outline: 2000px solid #fff; outline-offset: -2000px' },
  'a reflection over it': { around: '-webkit-box-reflect: below -900px' },
  'a faint slot': { slot: 'opacity: .01' },
  'a slot with a filter': { slot: 'filter: contrast(0)' },
  'faint content of details': {
    wrap: '<details open><summary>Pay</summary></details>',
    css: '::details-content { opacity: .01 }',
  },
  'a box that is inert by a style': {
    over: `<div style="position:absolute;&;interactivity:inert;background:#fff;z-index:9"></div>`,
  },
  'a cover that hides from the look by its inert': {
    css: '.c:not([inert]) { visibility: hidden }',
    over: '<div class="c" inert style="position:absolute;&;background:#fff;z-index:9"></div>',
  },
  'a cover that hides from the look by its style': {
    css: '.c[style*="auto"] { visibility: hidden }',
    over: `<div class="c" style="position:absolute;&;pointer-events:none!important;background:#fff;z-index:9"></div>`,
  },
  'the shadow of a text in a box without a box': {
    css: '.c { position: absolute; left: 0; top: -1000px; font: 900px/1 serif; z-index: 9 }',
    over: '<div class="c"><span style="display:contents;text-shadow:0 1000px 0 #fff,300px 1000px 0 #fff">███</span></div>',
  },
  'text of a pseudo-element of an inert box without a size, below a scale': {
    css: '.c i { display: block; width: 0; height: 0 } .c i::before { content: "█████████████████████████████████"; font: 100px/.8 serif; color: #fff; display: block; width: 900px; word-break: break-all }',
    over: `<div class="c" inert style="${OVER};transform:scale(1.01)"><i></i></div>`,
  },
  'a pseudo-element, elsewhere, of a box that is inert': {
    css: '.c::before { content: ""; position: fixed; inset: 0; background: #fff }',
    over: '<div class="c" inert style="position:absolute;left:0;top:0;width:0;height:0;z-index:9"></div>',
  },
  'media controls': { over: `<audio controls style="${OVER};width:1000px;height:1000px"></audio>` },
  'bars of formulas': {
    over: `<math style="${OVER};display:block"><mfrac linethickness="900px"><mi></mi><mi></mi></mfrac></math>`,
  },
  'backgrounds of table columns': {
    over: `<table style="${OVER}"><col style="background:#fff"><tr><td></td></tr></table>`,
  },
  'a first line': {
    css: '.c::first-line { background: #fff }',
    over: `<div class="c" style="${OVER};font:900px/1 serif;color:transparent">&nbsp;x</div>`,
  },
  'discs for spaces': {
    over: `<div style="${OVER};white-space:pre-wrap;overflow:hidden;font:60px/.4 serif;color:#fff;-webkit-text-security:disc">${' '.repeat(2000)}</div>`,
  },
  'a rule between rows': {
    over: `<div style="${OVER};display:grid;grid-template-rows:1fr 1fr;gap:900px;row-rule:900px solid #fff"><b></b><b></b></div>`,
  },
  'classic scroll bars': { over: `<div style="${OVER};overflow:scroll;scrollbar-color:#fff #fff"></div>` },
  'inside markers': {
    over: `<ul style="${OVER};margin:0;padding:0;overflow:hidden">${'<li style="list-style:inside square;font:200px/.3 serif;color:#fff;height:40px"></li>'.repeat(20)}</ul>`,
  },
  'borders of boxes without height': {
    over: `<div style="${OVER}">${'<div style="height:0;border-top:9px solid #fff"></div>'.repeat(100)}</div>`,
  },
  'a shadow of a box elsewhere': {
    over: '<div style="position:absolute;left:0;top:0;width:1px;height:1px;pointer-events:none;z-index:9;box-shadow:0 0 0 2000px #fff"></div>',
  },
  'an outline of a box elsewhere': {
    over: '<div style="position:absolute;left:0;top:0;width:1px;height:1px;pointer-events:none;z-index:9;outline:2000px solid #fff"></div>',
  },
  'a drop shadow of a box elsewhere': {
    over: '<div style="position:absolute;left:-3000px;top:0;width:2000px;height:2000px;pointer-events:none;z-index:9;background:#fff;filter:drop-shadow(3000px 0 0 #fff)"></div>',
  },
  'a shadow of text elsewhere': {
    over: '<div style="position:absolute;left:0;top:-1000px;pointer-events:none;z-index:9;font:900px/1 serif;text-shadow:0 1000px 0 #fff,300px 1000px 0 #fff">███</div>',
  },
  'two mirrors': { around: 'transform: scaleX(-1)' },
  'a round corner': { around: 'width: 480px; border-radius: 0 100% 0 0; overflow: hidden' },
  'a neighbour in its shadow root': {
    around: 'position: relative',
    slot: '',
    shadow: '<b style="position:absolute;inset:0;background:#fff;pointer-events:none"></b>',
  },
  'an inert neighbour in its cell of a grid': {
    css: '#holder { display: grid } #holder > * { grid-area: 1 / 1 }',
    wrap: '<div></div><div inert style="background:#fff"></div>',
  },
  'an inert block that is moved over it, and drawn as a whole': {
    around: 'display: flow-root',
    wrap: '<div></div><div inert style="margin-top:-900px;height:900px;background:#fff;isolation:isolate"></div>',
  },
  'an inert block that follows it, with a z-index that does nothing': {
    around: 'display: flow-root',
    wrap: '<div></div><div inert style="margin-top:-900px;height:900px;background:#fff;opacity:.99;z-index:-1"></div>',
  },
  'a popover over its dialog, which makes it inert': {
    wrap: '<dialog style="width:700px;max-height:none"></dialog>',
    over: '<div popover="manual" style="position:fixed;inset:0;width:auto;height:auto;background:#fff"></div>',
  },
  'a pseudo-element that no sheet of a later layer reaches': {
    css: '@layer first { .c::before { content: ""; position: fixed; inset: 0; background: #fff; pointer-events: none !important } }',
    over: '<div class="c" style="position:absolute;left:0;top:0;width:0;height:0;z-index:9"></div>',
  },
  'part of a control': {
    css: '.c::-webkit-slider-thumb { appearance: none; position: fixed; width: 3000px; height: 3000px; background: #fff; pointer-events: none }',
    over: '<input type="range" class="c" style="position:absolute;left:0;top:0;width:1px;height:1px;appearance:none;z-index:9">',
  },
  'a shadow of a pseudo-element': {
    css: '.c::before { content: ""; position: absolute; width: 1px; height: 1px; box-shadow: 0 0 0 2000px #fff }',
    over: '<div class="c" style="position:absolute;left:0;top:0;width:1px;height:1px;pointer-events:none;z-index:9"></div>',
  },
  'a shadow of a pseudo-element of its ancestor': {
    css: '#holder::before { content: ""; position: absolute; width: 1px; height: 1px; box-shadow: 0 0 0 2000px #fff; z-index: 9 }',
  },
  'a pseudo-element that is inert by a style': {
    css: '#holder::after { content: ""; position: fixed; inset: 0; background: #fff; interactivity: inert; z-index: 9 }',
  },
  'a hidden box with a pseudo-element that is not': {
    css: '.c { visibility: hidden } .c::before { content: ""; visibility: visible; position: fixed; inset: 0; background: #fff }',
    over: `<div class="c" style="${OVER}"></div>`,
  },
  'a marker of a pseudo-element': {
    css: '.c::before { content: ""; display: list-item; list-style: inside "████████████████████████████████████████"; color: #fff; font: 200px/.6 serif; word-break: break-all; position: fixed; inset: 0; overflow: hidden; pointer-events: none }',
    over: `<div class="c" style="${OVER}"></div>`,
  },
  'content of details that is placed over it': {
    css: '.c::details-content { position: fixed; inset: 0; background: #fff; pointer-events: none }',
    over: '<details open class="c" style="position:absolute;left:0;top:0;z-index:9"><summary>T</summary></details>',
  },
  'a shadow of a first letter': {
    css: '.c::first-letter { box-shadow: 0 0 0 2000px #fff }',
    over: '<div class="c" style="position:absolute;left:0;top:0;z-index:9">Shop</div>',
  },
  'a shadow of a box without a size': {
    over: '<div style="position:absolute;left:0;top:0;width:0;height:0;z-index:9;box-shadow:0 0 0 2000px #fff"></div>',
  },
  'a small shadow, at a large scale': {
    over: `<div style="${OVER};width:1px;height:1px;transform:scale(200);box-shadow:0 0 0 20px #fff"></div>`,
  },
  'a line, at a large scale': {
    over: `<div style="${OVER};height:0;border-top:4px solid #fff;transform:scaleY(900)"></div>`,
  },
  'a line through text elsewhere': {
    over: '<div style="position:absolute;left:0;top:0;font:10px/1 serif;white-space:pre;width:1280px;z-index:9;pointer-events:none;text-decoration:line-through 3000px #fff">Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop Shop</div>',
  },
  'a stroke of text elsewhere': {
    over: '<div style="position:absolute;left:0;top:0;z-index:9;pointer-events:none;color:#fff;-webkit-text-stroke:2500px #fff">Shop</div>',
  },
  'text that overflows an inert box without a height': {
    over: `<div inert style="position:absolute;left:0;top:0;height:0;width:1280px;z-index:9;color:#fff;font:80px/.5 serif;word-break:break-all">${'█'.repeat(800)}</div>`,
  },
  'an inert cover before it, in a place that is only named': {
    css: '#holder { container-name: pay; display: grid } #holder > * { grid-area: 1 / 1 }',
    wrap: '<div></div><div inert style="position:relative;background:#fff;order:2"></div>',
  },
  'a faint box that a filter makes opaque': {
    over: `<svg width="0" height="0"><filter id="solid"><feComponentTransfer><feFuncA type="linear" slope="900"/></feComponentTransfer></filter></svg><div style="${OVER};filter:url(#solid)"><div style="position:absolute;inset:0;background:rgb(255 255 255/.01)"></div></div>`,
  },
};

/** Harmless styles that are not on the list of harmless ones: they cost one press, never the payment. */
const UNUSUAL: Readonly<Record<string, Case>> = {
  'an opaque drop shadow': { around: 'filter: drop-shadow(0 4px 8px #000)' },
  'a mirrored form': { around: 'transform: scaleX(-1)' },
  'a turn in space': { around: 'transform: perspective(900px) rotateY(4deg)' },
  'a filter of the page': { around: 'filter: url("#grain")' },
  'a filter with an unreadable name': { around: 'filter: url("#((")' },
  'a zoom': { around: 'zoom: 1.25; filter: drop-shadow(0 4px 8px #000)' },
};

/** Common surroundings that leave the form readable. */
const HONEST: Readonly<Record<string, Case>> = {
  nothing: {},
  'a card that comes in': { around: 'animation: come .2s; will-change: transform; transform: translateZ(0)' },
  'a card in a grid': {
    around:
      'display: grid; grid-template-columns: 1fr; gap: 8px; place-items: stretch; isolation: isolate; counter-reset: step',
  },
  'a card that is turned a little': { around: 'transform: rotate(-.5deg) scale(.97)' },
  'a card that is lifted': { around: 'translate: 0 -4px; scale: 1.01; box-shadow: 0 20px 60px #0005' },
  'a card that is laid out when it is near': {
    around: 'content-visibility: auto; contain-intrinsic-size: auto 600px',
  },
  'squircle corners': { around: 'border-radius: 24px; corner-shape: squircle; overflow: hidden' },
  'a dark theme by inversion': { around: 'filter: invert(1) hue-rotate(180deg)' },
  'a grey theme': { around: 'filter: grayscale(1); background: linear-gradient(#fff, #eee)' },
  'a ring inside': {
    around: 'outline: 2px solid #06c; outline-offset: -2px; border: 1px solid #ccc; border-radius: 8px',
  },
  'frosted glass': {
    around: 'backdrop-filter: blur(12px) saturate(1.8); background: #fffc; opacity: .96; padding: 12px',
  },
  'a menu that is closed and inert': {
    over: '<nav inert style="position:fixed;inset:0;background:#fff;transform:translateX(-100%);z-index:9">Menu</nav><div inert style="position:fixed;inset:0;background:#0008;visibility:hidden;z-index:9">Search</div>',
  },
  'a dialog over the inert rest': {
    css: '.dialog { position: fixed; inset: 20px; overflow: auto; z-index: 10; background: #fff }',
    around: 'position: fixed; inset: 20px; overflow: auto; z-index: 10; background: #fff',
    over: '<main inert style="position:absolute;&;background:#eee"><h2>Basket</h2></main>',
  },
  'a neighbour with a shadow, and one with a big one below': {
    over: '<aside style="box-shadow:0 -10px 25px #0004;outline:2px solid #06c">Terms</aside>',
  },
  'a round card that scrolls': {
    around:
      'border-radius: 16px; overflow: auto; max-height: 600px; box-shadow: 0 25px 50px -12px #0004; padding: 24px',
  },
  'a drawer over its own backdrop, and a header that is inert': {
    around: 'position: fixed; inset: 0 0 0 auto; width: 600px; overflow: auto; z-index: 50; background: #fff',
    over: '<div style="position:fixed;inset:0;background:#0008;z-index:40"></div><header inert style="position:fixed;inset:0;background:#fff;z-index:30">Shop</header>',
  },
  'a modal dialog': {
    css: '::backdrop { background: #000c; backdrop-filter: blur(4px) }',
    wrap: '<dialog style="width:700px;max-height:none;border-radius:12px"></dialog>',
  },
  'controls with their own styles': {
    css: 'input::-webkit-inner-spin-button { appearance: none; margin: 0 } ::-webkit-scrollbar { width: 8px } ::-webkit-calendar-picker-indicator { position: absolute; inset: 0; opacity: 0 } .range::-webkit-slider-thumb:focus { box-shadow: 0 0 0 1px #fff, 0 0 0 4px rgb(13 110 253 / .25) } ::selection { background: #ff0 } ::placeholder { opacity: 1 }',
    over: '<input type="number"><input type="range" class="range"><input type="date">',
  },
  'a component with a shadow root': {
    slot: 'padding: 16px; border-radius: 12px; overflow: hidden',
    shadow: '<footer style="padding:8px;background:#eee">Terms</footer>',
  },
  'less motion, and pseudo-elements that let the pointer through': {
    css: '@media all { *, *::before, *::after { transition-duration: .01ms !important; animation-duration: .01ms !important } } aside::after { content: ""; position: absolute; pointer-events: none !important }',
    over: '<aside>Terms</aside>',
  },
  'a card with a deep shadow after it, and a shine over it': {
    css: '#holder { position: relative } #holder::before { content: "" / ""; position: absolute; inset: 0; background: linear-gradient(#ffffff1f, transparent); pointer-events: none }',
    over: '<aside style="position:relative;background:#fff;box-shadow:0 20px 25px -5px rgb(0 0 0/.1),0 8px 10px -6px rgb(0 0 0/.1)">Terms</aside>',
  },
  'toasts in a corner': {
    over: '<ol style="position:fixed;inset:0;pointer-events:none;z-index:99;margin:0;padding:16px;list-style:none;display:flex;justify-content:flex-end"><li style="pointer-events:auto;width:200px;height:60px;background:#333;color:#fff">Saved</li></ol>',
  },
};

const mount = ([secret, known, { around = '', slot, shadow = '', css = '', wrap }]: readonly [
  string,
  object,
  Case,
]) => {
  window.errors = [];
  window.form?.unmount();
  for (const old of document.querySelectorAll('#layer, #holder, #rules')) old.remove();
  const rules = document.createElement('style');
  rules.id = 'rules';
  rules.textContent = `@keyframes come { from { opacity: 0 } } ${css}`;
  document.head.append(rules);
  const place = document.createElement('div');
  place.id = 'payment';
  const holder = document.createElement('div');
  holder.id = 'holder';
  holder.style.cssText = around;
  if (slot !== undefined)
    holder.attachShadow({ mode: 'open' }).innerHTML = `<slot style="display:block;${slot}"></slot>${shadow}`;
  if (wrap) holder.innerHTML = wrap;
  (holder.firstElementChild ?? holder).append(place);
  document.querySelector('#payment')?.remove();
  document.querySelector('#outcome')?.before(holder);
  holder.querySelector('dialog')?.showModal();
  document.querySelector('#outcome')?.replaceChildren();
  window.pay(secret, known);
};

/** The number of pixels of the button's amount that differ from their background, relative to its size. */
const inkOfAmount = async (page: Page): Promise<number> => {
  const share = await quickStartForm(page)
    .frame.locator('.pay [data-amount]')
    .evaluate((amount) => {
      const { left, top, width, height } = amount.getBoundingClientRect();
      return [left / innerWidth, top / innerHeight, width / innerWidth, height / innerHeight] as const;
    });
  const clip = await page.evaluate(([left, top, width, height]) => {
    const box = document.querySelector('#payment iframe')?.getBoundingClientRect() ?? new DOMRect();
    return {
      x: box.x + left * box.width,
      y: box.y + top * box.height,
      width: width * box.width,
      height: height * box.height,
    };
  }, share);
  const picture = readPicture(await page.screenshot({ clip }));
  const ground = picture.at(1, 1);
  let ink = 0;
  for (let y = 0; y < picture.height; y += 1)
    for (let x = 0; x < picture.width; x += 1) if (distance(picture.at(x, y), ground) > 96) ink += 1;
  return ink / (picture.width * picture.height);
};

test.use({ viewport: { width: 1280, height: 1000 } });

const hidden = (isOver: boolean) =>
  Object.fromEntries(Object.entries(HIDDEN).filter(([, { over }]) => (over !== undefined) === isOver));

const GROUPS = { THROUGH: hidden(false), OVER: hidden(true), UNUSUAL, HONEST };
const THOROUGH = ['THROUGH', 'OVER'];

for (const [group, cases] of Object.entries(GROUPS)) {
  test(`threat-model 2.6: ${group === 'HONEST' ? 'on an honest page the first Enter pays' : `anything not known to be harmless hides the form: the first Enter shows it, and the next one pays (${group.toLowerCase()})`}`, {
    tag: THOROUGH.includes(group) ? '@thorough' : [],
  }, async ({ page, service, site }) => {
    await page.goto(site.put('/checkout', quickStartPage(service, '')));
    const form = quickStartForm(page);
    let plain = 0;
    const became: Record<string, string> = {};
    const expected: Record<string, string> = {};
    for (const [what, one] of Object.entries<Case>({ nothing: {}, ...cases })) {
      await page.evaluate(mount, [(await service.createIntent()).client_secret, KNOWN_BUYER, one] as const);
      await expect(form.frame.getByRole('button', { name: 'Pay $58.04' })).toBeAttached();
      await form.fillCard();
      await form.focusByKeys();
      if (one.over) await page.evaluate(layOver, [one.over, '#payment'] as const);
      await page.evaluate(() => document.querySelector<HTMLElement>('#layer [popover]')?.showPopover());
      // On a busy machine the browser is late to report that the button is in view.
      await form.pay.evaluate(
        (button) =>
          new Promise<void>((resolve) => {
            const observer = new IntersectionObserver(
              (entries) => {
                if ((entries.at(-1)?.intersectionRatio ?? 0) < 0.9) return;
                observer.disconnect();
                resolve();
              },
              { threshold: 0.9 },
            );
            observer.observe(button);
          }),
      );
      if (what === 'nothing') plain = await inkOfAmount(page);
      const first = await form.pressed();
      became[what] = first;
      if (first === 'obscured') {
        const share = (await inkOfAmount(page)) / plain;
        became[what] += ` ${share > 0.7 && share < 1.7 ? 'seen' : `unseen ${share}`} ${await form.pressed()}`;
      }
      expected[what] = group === 'HONEST' || what === 'nothing' ? 'succeeded' : 'obscured seen succeeded';
    }
    expect(became).toEqual(expected);
  });
}
