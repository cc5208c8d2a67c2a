import { signal } from '@preact/signals';
import { vi } from 'vitest';
import type { FrameMessage } from '../../channel/messages.ts';
import { readInit } from '../../channel/read-options.ts';
import { exampleForm, initMessage } from '../merchant/merchant.fixture.ts';
import { createWords } from '../view/words.ts';
import { connect } from './connect.ts';
import { createOffer } from './payment.ts';

/**
 * Connects a form as its document does. `post` receives its messages to the page, `hear` sends it a message from the
 * page, and `end` removes it: until then it listens to the document.
 */
export const connectExample = (
  options: object | null,
  post: (message: FrameMessage) => unknown,
  origin = 'https://shop.example',
) => {
  const { port1, port2 } = new MessageChannel();
  vi.spyOn(port1, 'postMessage').mockImplementation(post);
  const close = vi.spyOn(port1, 'close');
  const form = exampleForm();
  const data = options && initMessage(options);
  const init = readInit(data);
  const offer = createOffer(init, null, {
    port: port1,
    sentence: '',
  });
  const connection = connect({ data, port: port1, origin }, init, {
    form,
    pressHint: signal(null),
    isInterrupted: signal(false),
    words: createWords(['en-US'], { lang: '', dir: '' }),
    offer,
    changeLook: async () => [],
  });
  const hear = (data: object) => port1.onmessage?.(new MessageEvent('message', { data }));
  const end = () => {
    hear({ type: 'destroy' });
    port2.close();
  };
  return { connection, form, time: offer.time, close, hear, end };
};
