import { describe, expect, it } from 'vitest';
import { parseProbe } from './probe-options.ts';

const KEY = `pk_live_${'k'.repeat(32)}`;
const ALWAYS = ['--base-url', 'https://pay.example/', '--publishable-key', KEY];
const SECRET = 'lg_cs_0123456789';

describe('the options of card-form probe', () => {
  it('takes a client secret from the command line or the environment', () => {
    const probe = {
      origin: 'https://pay.example',
      publishableKey: KEY,
      payment: { kind: 'secret', secret: SECRET },
      browser: 'chromium',
      executablePath: null,
      timeout: 30_000,
      output: 'card-form-probe',
      metrics: null,
      isJson: false,
    };
    expect(parseProbe([...ALWAYS, '--client-secret', SECRET], {})).toEqual(probe);
    expect(parseProbe(ALWAYS, { CARD_FORM_PROBE_CLIENT_SECRET: SECRET })).toEqual(probe);
  });

  it('or a command that creates a payment', () => {
    const more = ['--create-with', 'node new-payment.js', '--browser', 'webkit', '--timeout', '5', '--json'];
    expect(parseProbe([...ALWAYS, ...more], {})).toMatchObject({
      payment: { kind: 'command', command: 'node new-payment.js' },
      browser: 'webkit',
      timeout: 5000,
      isJson: true,
    });
  });

  it.each([
    [[], /^--base-url must be /],
    [['--base-url', 'https://pay.example"'], /^--base-url must be /],
    [ALWAYS.slice(0, 2), /^--publishable-key must be a publishable key/],
    [ALWAYS, /^--client-secret must be a client secret \(lg_cs_…\); got nothing/],
    [
      [...ALWAYS, '--client-secret', SECRET, '--timeout', '0'],
      /^--timeout must be a whole number of seconds/,
    ],
    [[...ALWAYS, '--client-secret', SECRET, '--browser', 'lynx'], /^--browser must be chromium or firefox/],
  ])('%j: says what was expected and what came', (argv, message) => {
    expect(() => parseProbe(argv, {})).toThrow(message);
  });

  it('never repeats what was given as a client secret', () => {
    const parse = () => parseProbe([...ALWAYS, '--client-secret', `sk_live_${'s'.repeat(32)}`], {});
    expect(parse).toThrow(/^--client-secret must be a client secret \(lg_cs_…\); got another text\.$/);
  });
});
