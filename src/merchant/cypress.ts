/**
 * Cypress commands for a shop's end-to-end tests. Import this file in the support file to add `cy.fillCardForm()` and
 * `cy.payCardForm()`, the counterparts of the Playwright functions in `./testing`.
 *
 * The form only accepts presses made by the browser, but Cypress creates its events by script. This file therefore
 * types and clicks through the DevTools protocol, which Cypress offers in Chrome, Chromium, Edge and Electron. The form
 * has a different origin from the shop, so the configuration needs `chromeWebSecurity: false`.
 */
import {
  type CardFormEntries,
  fillCardForm,
  payCardForm,
  type TestLocator,
  type TestPage,
} from './testing.ts';

declare global {
  // Cypress declares its types in this namespace; TypeScript merges these into them.
  namespace Cypress {
    interface Chainable {
      /**
       * Waits for the card form and fills it in. Takes the same entries as `fillCardForm` in
       * `@partner/card-form/testing`.
       *
       * @example
       * cy.fillCardForm({ number: '4000 0000 0000 0002' });
       */
      fillCardForm(entries?: CardFormEntries): Chainable;
      /**
       * Clicks Pay once. With entries, even an empty object, it fills in the form first. Doesn't wait for the outcome:
       * check for that on the shop's own page.
       *
       * @example
       * cy.payCardForm({});
       * cy.contains('Thank you');
       */
      payCardForm(entries?: CardFormEntries): Chainable;
    }
  }
}

/** The part of Cypress used here. */
type CypressApi = {
  Commands: { add(name: string, command: (entries?: CardFormEntries) => unknown): void };
  /** Rejects in a browser without the DevTools protocol. */
  automation(
    name: 'remote:debugger:protocol',
    message: { command: string; params: object },
  ): Promise<unknown>;
};
type CypressCommands = {
  document(options: { log: boolean }): {
    then(options: { timeout: number }, run: (shop: Document) => Promise<void>): unknown;
  };
};
declare const Cypress: CypressApi;
declare const cy: CypressCommands;

/** Limit for filling in and pressing together, in ms. */
const COMMAND_TIMEOUT = 60_000;

/** Limit for an element to appear or become clickable, in ms. */
const ELEMENT_TIMEOUT = 20_000;

/** Polling interval, in ms. */
const INTERVAL = 50;

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, INTERVAL));

/** Waits until `look` finds something. On timeout, `why` says what was missing. */
const poll = async <Found>(look: () => Found | null, why: () => string, timeout: number): Promise<Found> => {
  for (let waited = 0; waited <= timeout; waited += INTERVAL) {
    const found = look();
    if (found !== null) return found;
    await pause();
  }
  throw new Error(`${why()} after ${timeout / 1000} seconds.`);
};

const send = async (command: string, params: object): Promise<void> => {
  await Cypress.automation('remote:debugger:protocol', { command, params });
};

/** The frame's document, or null while it loads. Throws if the browser denies access to it. */
const documentIn = (frame: HTMLIFrameElement | null): Document | null => {
  if (!frame) return null;
  if (!frame.contentDocument)
    throw new Error(
      'The card form is a frame of another origin. Set chromeWebSecurity: false in the e2e part of cypress.config, and run the tests in Chrome, Chromium, Edge or Electron.',
    );
  return frame.contentDocument;
};

/** The frames around an element, innermost first. */
const framesAround = (element: Element): readonly HTMLElement[] => {
  const frame = element.ownerDocument.defaultView?.frameElement;
  return isHtml(frame) ? [frame, ...framesAround(frame)] : [];
};

/** Doesn't use `instanceof`, because the elements belong to other windows. */
const isHtml = (element: Element | null | undefined): element is HTMLElement =>
  element?.namespaceURI === 'http://www.w3.org/1999/xhtml';

/** Centre of an element, in its own window. */
const middleOf = (element: Element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
};

/** Centre of an element, in the tab. Cypress shows the shop in a scaled frame. */
const spotInTab = (element: Element) =>
  framesAround(element).reduce((spot, frame) => {
    const { x, y, width } = frame.getBoundingClientRect();
    const scale = frame.offsetWidth > 0 ? width / frame.offsetWidth : 1;
    return { x: x + (frame.clientLeft + spot.x) * scale, y: y + (frame.clientTop + spot.y) * scale };
  }, middleOf(element));

/** The element that a click on the centre would hit instead, or null. */
const coverOf = (element: Element): Element | null => {
  let { x, y } = middleOf(element);
  for (const target of [element, ...framesAround(element).slice(0, 1)]) {
    const hit = target.ownerDocument.elementFromPoint(x, y);
    if (hit !== target && !target.contains(hit)) return hit ?? target.ownerDocument.documentElement;
    const [frame] = framesAround(target);
    const box = frame?.getBoundingClientRect();
    x += (box?.x ?? 0) + (frame?.clientLeft ?? 0);
    y += (box?.y ?? 0) + (frame?.clientTop ?? 0);
  }
  return null;
};

/** An element as a selector, for error messages. */
const tagOf = ({ localName, id, classList }: Element) =>
  [localName, id && `#${id}`, ...[...classList].map((name) => `.${name}`)].join('');

/** Clicks with the mouse once the element is enabled and uncovered. */
const click = async (element: Element): Promise<void> => {
  let cover: Element | null = null;
  element.scrollIntoView({ block: 'center' });
  await poll(
    () => {
      cover = element.getAttribute('aria-disabled') === 'true' ? element : coverOf(element);
      return cover === null || null;
    },
    () => `${tagOf(element)} cannot be clicked: ${cover && tagOf(cover)} is in the way`,
    ELEMENT_TIMEOUT,
  );
  const { x, y } = spotInTab(element);
  const mouse = (type: string, at: object) =>
    send('Input.dispatchMouseEvent', { type, button: 'none', ...at });
  await mouse('mouseMoved', { x: x - 12, y: y - 6 });
  await mouse('mouseMoved', { x, y });
  const press = { x, y, button: 'left', clickCount: 1 };
  await mouse('mousePressed', { ...press, buttons: 1 });
  await mouse('mouseReleased', { ...press, buttons: 0 });
};

/** Selects an option by script. */
const choose = (list: Element, value: string) => {
  const options = [...list.querySelectorAll('option')];
  const index = options.findIndex((option) => option.value === value || option.label === value);
  if (index < 0) throw new Error(`${tagOf(list)} has no option ${value}.`);
  Reflect.set(list, 'selectedIndex', index);
  for (const type of ['input', 'change']) list.dispatchEvent(new Event(type, { bubbles: true }));
};

const locatorIn = (form: () => Document | null, selector: string): TestLocator => {
  const all = () => [...(form()?.querySelectorAll(selector) ?? [])];
  const visible = (timeout = ELEMENT_TIMEOUT) =>
    poll(
      () => all().find((element) => element.getClientRects().length > 0) ?? null,
      () => `The card form shows no ${selector}`,
      timeout,
    );
  return {
    count: async () => all().length,
    async waitFor({ timeout }) {
      await visible(timeout);
    },
    evaluate: async (read) => read(await visible()),
    selectOption: async (value) => choose(await visible(), value),
    click: async () => click(await visible()),
    async fill(text) {
      const field = await visible();
      if (!isHtml(field)) return;
      field.focus();
      field.ownerDocument.execCommand('selectAll');
      await send('Input.insertText', { text });
    },
  };
};

/** The shop's page in the shape that `./testing` takes. */
const pageOf = (shop: Document): TestPage => ({
  frameLocator: (frame) => ({
    locator: (selector) =>
      locatorIn(() => documentIn(shop.querySelector<HTMLIFrameElement>(frame)), selector),
  }),
});

const add = (name: string, run: (page: TestPage, entries?: CardFormEntries) => Promise<void>) =>
  Cypress.Commands.add(name, (entries) =>
    cy.document({ log: false }).then({ timeout: COMMAND_TIMEOUT }, (shop) => run(pageOf(shop), entries)),
  );

add('fillCardForm', fillCardForm);
add('payCardForm', payCardForm);
