/** A buyer in an engine driven by the WebDriver protocol. */
import { contentOf } from '../press/attacks.ts';
import { type FieldName, LABEL } from '../support/checkout-page.ts';
import type { Buyer } from './buyer.ts';
import { type Element, type Session, WebDriverError } from './webdriver.ts';

/** Error codes of the driver for an element that is missing, stale or not clickable. */
const NOT_THERE: readonly string[] = [
  'no such element',
  'no such frame',
  'stale element reference',
  'element click intercepted',
  'element not interactable',
];

/** How long an element may take to appear, in ms. */
const PATIENCE = 10_000;

/** Makes a document record its errors. */
const KEEP_TROUBLE = `
if (window.trouble) return;
window.trouble = [];
const keep = (text) => window.trouble.push(String(text));
addEventListener('error', ({ message }) => keep('page error: ' + message));
addEventListener('unhandledrejection', ({ reason }) => keep('unhandled rejection: ' + reason));
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
  keep('CSP violation: ' + effectiveDirective + ' ' + blockedURI));
const { error } = console;
console.error = (...words) => {
  keep(words.join(' '));
  error(...words);
};
`;

const TELL_TROUBLE = 'return window.trouble ?? []';

/** Runs a function of one argument in the current document. */
const call = <Given>(session: Session, act: (given: Given) => unknown, given: Given): Promise<unknown> =>
  session.run(`return (${act})(arguments[0])`, given);

const numberOf = (value: unknown, name: string): number =>
  typeof value === 'object' && value !== null ? Number(Reflect.get(value, name)) : Number.NaN;

/** `trouble` returns the errors in page and form, each since it first existed. */
export type WatchedBuyer = Buyer & { trouble(): Promise<readonly unknown[]> };

export const webdriverBuyer = (session: Session): WatchedBuyer => {
  /** Errors in documents that are gone. */
  const before: unknown[] = [];

  /** Runs `ask` in the form's document; null if the document, or the element it needs, is missing. */
  const inForm = async <Value>(ask: () => Promise<Value>): Promise<Value | null> => {
    try {
      await session.toPage();
      const [frame] = await session.findAll('#card-form iframe');
      if (!frame) return null;
      await session.toFrame(frame);
      return await ask();
    } catch (error) {
      if (error instanceof WebDriverError && NOT_THERE.includes(error.code)) return null;
      throw error;
    }
  };

  /** Waits until `look` finds it. */
  const appears = async <Value>(what: string, look: () => Promise<Value | null>): Promise<Value> => {
    for (const until = performance.now() + PATIENCE; ; ) {
      const found = await inForm(look);
      if (found !== null) return found;
      if (performance.now() > until) throw new Error(`${what} did not appear within ${PATIENCE} ms.`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  const findField = async (name: FieldName): Promise<Element | null> => {
    for (const element of await session.findAll('input, select')) {
      if ((await session.label(element)) === LABEL[name]) return element;
    }
    return null;
  };
  const field = (name: FieldName) => appears(`A field "${LABEL[name]}"`, () => findField(name));

  /** The text of the first matching element, or null. */
  const words = (selector: string): Promise<string | null> =>
    inForm(async () => {
      const [element] = await session.findAll(selector);
      return element ? session.text(element) : null;
    });

  const keepTrouble = async () => {
    await session.run(KEEP_TROUBLE);
    await appears('A form', () => session.run(KEEP_TROUBLE).then(() => true));
  };
  const trouble = async (): Promise<readonly unknown[]> => {
    const inFrame = await inForm(() => session.run(TELL_TROUBLE));
    await session.toPage();
    return [...before, await session.run(TELL_TROUBLE), inFrame ?? []].flat();
  };

  return {
    async open(url) {
      await session.navigate(url);
      await keepTrouble();
    },
    async visit(url) {
      await session.toPage();
      await session.navigate(url);
    },
    async reload() {
      before.splice(0, before.length, ...(await trouble()));
      await session.reload();
      await keepTrouble();
    },
    trouble,

    async click(name) {
      await session.click(await field(name));
    },
    async type(name, text) {
      const element = await field(name);
      await session.click(element);
      await session.hold('Control', 'a');
      await session.write(text);
    },
    async choose(name, value) {
      const element = await field(name);
      const options = await session.findAll(`option[value="${value}"]`);
      for (const option of options) await session.click(option);
      if ((await session.property(element, 'value')) !== value) {
        throw new Error(`"${LABEL[name]}" must have an option "${value}" that can be chosen; it has none.`);
      }
    },
    value: (name) =>
      inForm(async () => {
        const element = await findField(name);
        return element ? `${await session.property(element, 'value')}` : null;
      }),

    async begin() {
      await session.toPage();
      for (const heading of await session.findAll('h1')) await session.click(heading);
    },
    async press(key) {
      await session.press(key);
    },
    async hold(held, key) {
      await session.hold(held, key);
    },
    async write(text) {
      await session.write(text);
    },
    focused: () =>
      inForm(async () => {
        const active = await session.active();
        return session.label(active);
      }),

    async mouse(at, times, to) {
      await session.toPage();
      const moves = to ? [to] : [];
      await session.point(
        'mouse',
        at,
        Array.from({ length: times }, () => moves),
      );
    },
    canDoubleClick: true,
    async tap(at) {
      await session.toPage();
      await session.point('touch', at, [[]]);
    },

    // WebDriver waits for nothing, so the test waits until the button can be clicked.
    async pay() {
      await appears('A button that pays and can be clicked', async () => {
        const [button] = await session.findAll('button.pay');
        if (!button || !(await session.text(button)).startsWith('Pay ')) return null;
        if ((await session.property(button, 'ariaDisabled')) === 'true') return null;
        await session.click(button);
        return true;
      });
    },

    button: () => words('button.pay'),
    total: () => words('.total'),
    notice: () => words('[role="status"]'),
    outcome: () => words('h1, h2, h3, [role="heading"]'),

    // The driver shows no requests, and its engine does not count failed ones.
    sent: async () => null,
    async events(name) {
      await session.toPage();
      const heard = await session.run(
        'return window.events.filter((event) => event.name === arguments[0]).map(({ detail }) => detail)',
        name,
      );
      return Array.isArray(heard) ? heard : [];
    },

    async inPage(act, given) {
      await session.toPage();
      return call(session, act, given);
    },
    inForm: (act, given) => inForm(() => call(session, act, given)),
    canPay: async () =>
      (await inForm(async () => {
        const [button] = await session.findAll('button.pay:not([aria-disabled], [data-early])');
        return button !== undefined;
      })) ?? false,
    async place(selector) {
      const place = await appears(selector, () =>
        session.run('return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()', selector),
      );
      await session.toPage();
      const content = await call(session, contentOf, '#card-form iframe');
      return {
        x: numberOf(content, 'x') + numberOf(place, 'x'),
        y: numberOf(content, 'y') + numberOf(place, 'y'),
        width: numberOf(place, 'width'),
        height: numberOf(place, 'height'),
      };
    },
  };
};
