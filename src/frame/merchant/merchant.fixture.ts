/** What the merchant's page sends, and a form to apply it to. */
import { type Init, readInit } from '../../channel/messages.ts';
import { CHANNEL, PROTOCOL } from '../../channel/protocol.ts';
import { type CardForm, createForm } from '../form/card-form.ts';
import { createTexts } from '../form/field-texts.ts';
import type { UnaskedAtStart } from '../form/unasked.ts';

/** An `init` as the loader posts it, with these options. */
export const initMessage = (options: object = {}): object => ({
  channel: CHANNEL,
  protocol: PROTOCOL,
  publishableKey: `pk_live_${'a'.repeat(32)}`,
  clientSecret: 'lg_cs_x',
  ...options,
});

/** The same, as the frame reads it. */
export const exampleInit = (options: object = {}): Init => {
  const init = readInit(initMessage(options));
  if (!init) throw new Error('These options make no init.');
  return init;
};

/** An empty form in January 2026, which asks for everything but `unasked`. */
export const exampleForm = (unasked?: UnaskedAtStart): CardForm =>
  createForm({
    text: createTexts(),
    preferred: ['en-US'],
    thisMonth: () => ({ year: 2026, month: 1 }),
    ...(unasked ? { unasked } : {}),
  });
