import { describe, expect, it } from 'vitest';
import { readSite, SANDBOX_KEY } from './site.ts';

const KEY = `pk_live_${'a'.repeat(32)}`;
const at = (address: string) => new URL(address);

describe('where the form comes from', () => {
  it('in a sandbox: the sandbox, with its control routes', () => {
    expect(readSite({}, at('http://127.0.0.1:4010/_sandbox/playground/#locale=de'))).toEqual({
      service: { origin: 'http://127.0.0.1:4010', publishableKey: SANDBOX_KEY },
      hasControl: true,
      paymentUrl: null,
      problems: [],
    });
  });

  it('elsewhere: the service that the owner names, without control routes', () => {
    const data = { service: 'https://pay.example', publishableKey: KEY, payment: '/new-payment' };
    expect(readSite(data, at('https://shop.example/_sandbox/playground/'))).toEqual({
      service: { origin: 'https://pay.example', publishableKey: KEY },
      hasControl: false,
      paymentUrl: '/new-payment',
      problems: [],
    });
    expect(readSite({}, at('https://shop.example/try/'))).toMatchObject({
      service: { origin: 'https://shop.example' },
      hasControl: false,
    });
  });

  it('?service= chooses among those that the owner names', () => {
    const data = { service: 'https://pay.example https://test.pay.example' };
    const chosen = readSite(data, at('https://shop.example/?service=https://test.pay.example'));
    expect(chosen.service.origin).toBe('https://test.pay.example');
    expect(chosen.problems).toEqual([]);
  });

  it.each(['https://evil.example', 'javascript:alert(1)', 'https://pay.example.evil.example', ''])(
    'a link cannot have the page run the script of a service that the owner does not name: %s',
    (service) => {
      const address = at('https://shop.example/');
      address.searchParams.set('service', service);
      const site = readSite({ service: 'https://pay.example' }, address);
      expect(site.service.origin).toBe('https://pay.example');
      expect(site.problems).toEqual([expect.stringContaining('does not know')]);
      const sandbox = at('http://127.0.0.1:4010/_sandbox/playground/');
      sandbox.searchParams.set('service', service);
      expect(readSite({}, sandbox).service.origin).toBe('http://127.0.0.1:4010');
    },
  );

  it('mistakes of the owner are named', () => {
    const site = readSite(
      { service: 'https://pay.example/partner', publishableKey: 'sk_live_x' },
      at('https://shop.example/'),
    );
    expect(site.problems).toEqual([
      expect.stringContaining('data-service'),
      expect.stringContaining('data-publishable-key'),
    ]);
    expect(site.service.publishableKey).toBe(SANDBOX_KEY);
    expect(JSON.stringify(site)).not.toContain('sk_live_x');
  });
});
