import { describe, expect, it } from 'vitest';
import { redactHar, redactor } from './redact.ts';

const SECRET = 'lg_cs_0123456789abcdefABCDEF';
const KEY = `pk_live_${'p'.repeat(32)}`;
const redact = redactor(SECRET);

describe('the output of a probe contains no secret', () => {
  it.each([
    ['as it is', SECRET],
    ['in capitals, as in a host name', SECRET.toUpperCase()],
    ['in base64', Buffer.from(SECRET).toString('base64')],
    ['in base64 for URLs', Buffer.from(SECRET).toString('base64url')],
    ['in hex', Buffer.from(SECRET).toString('hex')],
    ['backwards', [...SECRET].reverse().join('')],
    ['of another payment', 'lg_cs_zzzz9999'],
    ['a secret key', `sk_live_${'s'.repeat(32)}`],
  ])('the client secret %s', (_, text) => {
    const cleaned = redact(`before ${text} after`);
    expect(cleaned).toMatch(/^before \(removed\)=* after$/);
  });

  it('the publishable key stays', () => {
    expect(redact(`key ${KEY}`)).toBe(`key ${KEY}`);
  });

  it('a HAR: no body, no cookie, no other key, and only the origin of a stopped request', () => {
    const entry = (url: string, authorization: string) => ({
      request: {
        url,
        headers: [
          { name: 'Authorization', value: authorization },
          { name: 'Referer', value: `https://shop.example/?s=${SECRET}` },
          { name: 'Cookie', value: 'session=1' },
        ],
        cookies: [{ name: 'session', value: '1' }],
        queryString: [{ name: 's', value: SECRET }],
        postData: { mimeType: 'application/json', text: JSON.stringify({ client_secret: SECRET }) },
      },
      response: {
        status: 200,
        headers: [{ name: 'set-cookie', value: 'session=1' }],
        content: { size: 5, text: 'hello' },
        redirectURL: '',
      },
    });
    const har = JSON.stringify({
      log: {
        pages: [{ title: 'c2VjcmV0' }],
        entries: [
          entry('https://pay.example/read', `Bearer ${KEY}`),
          entry('https://evil.example/c2VjcmV0?k=1', `Bearer pk_live_${'o'.repeat(32)}`),
        ],
      },
    });
    const keepsUrl = (url: string) => url.startsWith('https://pay.example/');
    const text = redactHar(har, { redact, publishableKey: KEY, keepsUrl });
    const [kept, stopped] = JSON.parse(text).log.entries;
    expect(kept.request.url).toBe('https://pay.example/read');
    expect(kept.request.headers[0]).toEqual({ name: 'Authorization', value: `Bearer ${KEY}` });
    expect(kept.response).toMatchObject({ status: 200, content: { size: 5, text: '(removed)' } });
    expect(stopped.request.url).toBe('https://evil.example');
    expect(stopped.request.headers[0].value).toBe('(removed)');
    expect(text).not.toMatch(/lg_cs_|c2VjcmV0|session=1|hello|pk_live_o/);
  });
});
