/** A page that embeds the form's frame without the loader. It holds the port and can send anything. */
import type { Page } from 'playwright/test';
import { KNOWN_BUYER } from '../support/checkout-page.ts';
import type { Service } from '../support/service.ts';

type Said = { readonly type?: unknown };

/** Adds the frame, titled "held", to `#card-form` of a page without a mounted form, and receives the frame's hello. */
export const embedFrameWithoutLoader = async (page: Page, service: Service) => {
  await page.evaluate(async (src) => {
    const frame = document.createElement('iframe');
    frame.title = 'held';
    frame.style.cssText = 'width:100%;height:1100px;border:0';
    const hellos: unknown[] = [];
    const heard: unknown[] = [];
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      heard.push(data);
      if (data.type === 'covers') port1.postMessage({ type: 'covers' }); // it cannot check for covers
    };
    const first = new Promise<void>((resolve) => {
      addEventListener('message', ({ data, source }) => {
        if (source !== frame.contentWindow) return;
        hellos.push(data);
        resolve();
      });
    });
    Reflect.set(window, 'held', {
      hellos,
      heard,
      init: (message: unknown) => frame.contentWindow?.postMessage(message, new URL(src).origin, [port2]),
      say: (messages: readonly unknown[]) => {
        for (const message of messages) port1.postMessage(message);
      },
    });
    frame.src = src;
    document.querySelector('#card-form')?.append(frame);
    await first;
  }, `${service.url}/partner/v1/card-form/frame`);

  const everything = (): Promise<readonly Said[]> => page.evaluate(() => Reflect.get(window, 'held').heard);
  /** Messages of one type. */
  async function heard(type: string): Promise<readonly Said[]>;
  /** The types of all messages, in order. */
  async function heard(): Promise<readonly unknown[]>;
  async function heard(type?: string): Promise<readonly unknown[]> {
    const all = await everything();
    return type === undefined ? all.map((message) => message.type) : all.filter((one) => one.type === type);
  }

  return {
    hellos: (): Promise<readonly unknown[]> => page.evaluate(() => Reflect.get(window, 'held').hellos),
    everything,
    heard,
    init: (different: { clientSecret: string; defaultValues?: undefined }): Promise<void> =>
      page.evaluate((message) => Reflect.get(window, 'held').init(message), {
        channel: 'card-form',
        protocol: 1,
        publishableKey: service.keys.publishable,
        locale: 'en',
        defaultValues: KNOWN_BUYER,
        ...different,
      }),
    say: (messages: readonly unknown[]): Promise<void> =>
      page.evaluate((all) => Reflect.get(window, 'held').say(all), messages),
  };
};
