import { describe, expect, it } from 'vitest';
import { readPage } from '../../../proof/repository/citations.fixture.ts';
import { LONGEST_WEBHOOK_URL, PRIVATE_ENDINGS, webhookUrlProblem } from './url.ts';

const strict = (url: string) => webhookUrlProblem(url, { allowLocal: false });
const local = (url: string) => webhookUrlProblem(url, { allowLocal: true });

describe('contract S13.2: https:// on port 443, public host name', () => {
  it.each([
    'https://shop.example.com/webhooks',
    'https://shop.example.com:443/',
    'https://shop.example.com/path?token=a%20b&x=1',
    'https://shop.example.com./',
    'https://xn--bcher-kva.de/',
    'https://localhost.merchant.io/',
    'https://internal.merchant.io/',
  ])('takes %s', (url) => {
    expect(strict(url)).toBeNull();
    expect(local(url)).toBeNull();
  });

  it.each([
    ['http://shop.example.com/', 'begin with https://'],
    ['ftp://shop.example.com/', 'absolute https://'],
    ['shop.example.com', 'absolute https://'],
    ['https:shop.example.com', 'absolute https://'],
    ['', 'ASCII'],
    ['https://shop.example.com:8443/', 'port 443; got 8443'],
    ['https://203.0.113.7/', 'IP address'],
    ['https://0x0a.1/', 'IP address'],
    ['https://[2001:db8::1]/', 'IP address'],
    ['https://router.local/', 'private network'],
    ['https://db.internal/', 'private network'],
    ['https://DB.INTERNAL./', 'private network'],
    ['https://shop.test/', 'private network'],
    ['https://intranet-host/', 'a dot in it'],
    ['https://user:pass@shop.example.com/', 'no user name and password'],
    ['https://shop.example.com/#here', 'no #fragment'],
    ['https://shop.example.com/a b', 'ASCII'],
    ['https://shop.example.com/\nHost: evil', 'ASCII'],
    ['https://shop.example.com\\@10.0.0.1/', 'backslashes'],
    ['https://bücher.de/', 'punycode'],
    ['https://-shop.example.com/', 'not a valid host name'],
    [`https://${'a'.repeat(64)}.example.com/`, 'not a valid host name'],
  ])('refuses %s', (url, problem) => {
    expect(strict(url)).toContain(problem);
    expect(local(url)).toContain(problem);
  });

  it('contract 5.9 and S13.2 list all private names', () => {
    const page = readPage('contract');
    for (const name of PRIVATE_ENDINGS) expect(page).toContain(`\`*.${name}\``);
  });

  it.each([
    ['http://localhost:3000/webhooks', 'begin with https://'],
    ['https://shop.localhost/', 'private network'],
    ['http://127.0.0.1:4011/webhooks', 'begin with https://'],
    ['https://0x7f.1/', 'IP address'],
    ['https://[::1]/', 'IP address'],
  ])('refuses %s, which the sandbox lets in for local development', (url, problem) => {
    expect(strict(url)).toContain(problem);
    expect(local(url)).toBeNull();
  });

  it('contract S17.16: Webhook URL: at most 2048 characters', () => {
    const start = 'https://shop.example.com/';
    const longest = start + 'a'.repeat(LONGEST_WEBHOOK_URL - start.length);
    expect(longest).toHaveLength(2048);
    expect(strict(longest)).toBeNull();
    expect(strict(`${longest}a`)).toContain('at most 2048 characters');
    expect(local(`http://localhost/${'a'.repeat(2048)}`)).toContain('at most 2048 characters');
  });
});
