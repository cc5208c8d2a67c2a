/** The behaviour required of every binding. Each framework's tests add what is specific to it. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { EVENTS } from '../form/channel/events.ts';
import { keysOf } from '../form/channel/own-property.ts';
import { earlyFrame } from './early-frame.ts';
import { type FakeForm, removeCardForm, silenceIframes, stubCardForm } from './framework.fixture.ts';

export const PROPS = {
  baseUrl: 'https://pay.example',
  publishableKey: 'pk_live_1',
  clientSecret: 'lg_cs_1',
} as const;

/** Adds an element to the page, with server-rendered HTML. */
export const page = (html = ''): Element => {
  const main = document.createElement('main');
  main.append(document.createRange().createContextualFragment(html));
  document.body.append(main);
  return main;
};

/** A component on a page. */
export type Shown = {
  main: Element;
  /** Renders it with these properties in addition to its current ones. */
  change(props: object): Promise<void>;
  /** Renders the page without it. */
  remove(): Promise<void>;
  /** The form that the page received. */
  form(): object | null | undefined;
};

/** How a framework renders the component, with PROPS and the given properties. */
export type BindingHarness = {
  show(props?: object): Promise<Shown>;
  renderOnServer(props: object): string | Promise<string>;
  /** Hydrates a server-rendered page. */
  hydrate(main: Element, props: object): Promise<void>;
  /** Removes all components from their pages. */
  end(): void | Promise<void>;
  /** The property that listens to an event. */
  listener(name: string): string;
  /** Name of the property for the element's class. */
  className: string;
};

/** Console output. Each framework's tests pass every line to it, because only they may use the console. */
export const complaints = vi.fn();

/** Replaces the page's `CardForm` with one that can't be mounted. */
export const stubMistake = (): Error => {
  removeCardForm();
  const mistake = new Error('publishableKey');
  stubCardForm(mistake);
  return mistake;
};

const tidyUp = async (framework: BindingHarness): Promise<void> => {
  await framework.end();
  removeCardForm();
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  expect(complaints.mock.calls).toEqual([]);
  complaints.mockClear();
};

export const describeBinding = <Of extends BindingHarness>(
  title: string,
  load: () => Of | Promise<Of>,
  more: (framework: () => Of, forms: () => readonly FakeForm[]) => void,
) =>
  describe(title, () => {
    let framework: Of;
    let forms: readonly FakeForm[];

    beforeAll(async () => {
      silenceIframes();
      framework = await load();
    }, 120_000); // it may bundle the framework
    beforeEach(() => {
      forms = stubCardForm();
    });
    afterEach(() => tidyUp(framework));

    it('mounts a form into its element, and keeps the iframe that is there already', async () => {
      const { main } = await framework.show({ [framework.className]: 'card', id: 'pay', locale: 'de' });
      expect(forms.map(({ options }) => options)).toEqual([
        { publishableKey: 'pk_live_1', clientSecret: 'lg_cs_1', locale: 'de' },
      ]);
      expect(main.querySelector('#pay')?.className).toBe('card');
      expect(main.querySelectorAll('iframe')).toHaveLength(1);
    });

    it('has a property for every event', async () => {
      const heard: string[] = [];
      const names = keysOf(EVENTS);
      await framework.show(
        Object.fromEntries(names.map((name) => [framework.listener(name), () => heard.push(name)])),
      );
      for (const name of names) forms[0]?.emit(name, {});
      expect(heard).toEqual(names);
    });

    it('promises 1.6: takes another payment by update(), in the same element', async () => {
      const { main, change } = await framework.show();
      const before = main.firstElementChild;
      await change({ clientSecret: 'lg_cs_2' });
      await change({ clientSecret: 'lg_cs_3', locale: 'fr' });
      expect(forms.map(({ isMounted, updates }) => [isMounted, updates])).toEqual([
        [true, [{ clientSecret: 'lg_cs_2' }, { clientSecret: 'lg_cs_3' }, { locale: 'fr' }]],
      ]);
      expect(main.firstElementChild).toBe(before);
    });

    it('is mounted again for another payment once the one before it is over, in a new element', async () => {
      const { main, change } = await framework.show();
      const before = main.firstElementChild;
      forms[0]?.emit('result', { outcome: 'succeeded' });
      await change({ clientSecret: 'lg_cs_2' });
      expect(forms.map(({ isMounted, options }) => [isMounted, options.clientSecret])).toEqual([
        [false, 'lg_cs_1'],
        [true, 'lg_cs_2'],
      ]);
      expect(main.firstElementChild).not.toBe(before);
      expect(main.querySelectorAll('iframe')).toHaveLength(1);
    });

    it('gives its form to the page, and null when it is gone', async () => {
      const { main, form, remove } = await framework.show();
      expect(form()).toBe(forms[0]?.instance);
      await remove();
      expect([form(), forms[0]?.isMounted, main.querySelector('iframe')]).toEqual([null, false, null]);
    });

    it('promises 1.15: renders no iframe of its own with `keep` while a form is parked in the page', async () => {
      page('<div><iframe data-card-form-frame="parked"></iframe></div>');
      const { main, change } = await framework.show({ keep: true, clientSecret: 'lg_cs_9' });
      expect(main.querySelector('iframe')?.hasAttribute('src')).toBe(false); // the iframe of `mount()`
      await change({ locale: 'de' });
      expect(main.querySelectorAll('iframe')).toHaveLength(1);
    });

    it('shows the fallback if there can be no form, and reports why; another payment is another try', async () => {
      const mistake = stubMistake();
      const failures: Error[] = [];
      const failed = { [framework.listener('failure')]: (error: Error) => failures.push(error) };
      const { main, change } = await framework.show(failed);
      expect(main.querySelector('[role=alert]')?.textContent).toBe('The card form could not be loaded.');
      expect(failures).toEqual([mistake]);
      removeCardForm();
      forms = stubCardForm();
      await change({ clientSecret: 'lg_cs_2' });
      expect([forms.length, main.querySelector('[role=alert]')]).toEqual([1, null]);
    });

    it('reports a failure that nobody listens for', async () => {
      const mistake = stubMistake();
      const reported = vi.fn();
      vi.stubGlobal('reportError', reported);
      await framework.show();
      expect(reported.mock.calls).toEqual([[mistake]]);
    });

    it('promises 2.7: renders the iframe as high as the form will be, on a server and in a container of this width', async () => {
      const height = async (props: object) =>
        page(await framework.renderOnServer(props)).querySelector('iframe')?.height;
      expect(await height({ defaultValues: { billingDetails: { address: {} } } })).toBe('455');
      expect(await height({ payButton: 'host', publishableKey: 'pk_live_sandbox1' })).toBe('884');
      vi.spyOn(HTMLIFrameElement.prototype, 'clientWidth', 'get').mockReturnValue(720);
      const { main } = await framework.show();
      expect(main.querySelector('iframe')?.height).toBe('647');
    });

    it("renders the form's iframe on a server, and takes it over without a mismatch", async () => {
      const props = { [framework.className]: 'card', version: '0.1.0-test' };
      const main = page(await framework.renderOnServer(props));
      const early = page(earlyFrame('https://pay.example', { version: '0.1.0-test' })).firstElementChild;
      const frame = main.querySelector('iframe');
      expect(frame?.isEqualNode(early)).toBe(true);
      const written = vi.spyOn(HTMLIFrameElement.prototype, 'setAttribute');
      await framework.hydrate(main, props);
      expect(written.mock.calls.filter(([name]) => name === 'src')).toEqual([]); // it would load again
      expect(main.querySelector('iframe')).toBe(frame);
      expect(forms.map(({ container }) => container)).toEqual([main.firstElementChild]);
    });

    more(
      () => framework,
      () => forms,
    );
  });
