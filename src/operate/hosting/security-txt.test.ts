import { describe, expect, it } from 'vitest';
import type { GetResponse, HttpGet } from './http-get.ts';
import {
  checkSecurityTxt,
  problemsOfSecurityTxt,
  SECURITY_TXT,
  securityTxtTemplate,
  TEMPLATE,
} from './security-txt.ts';

const ORIGIN = 'https://pay.example';
const NOW = Date.parse('2026-11-22T00:00:00Z');
const filled = (expires = '2027-06-30T00:00:00Z', contact = 'mailto:security@pay.example', origin = ORIGIN) =>
  securityTxtTemplate()
    .replaceAll('{contact}', contact)
    .replaceAll('{expires}', expires)
    .replaceAll('{origin}', origin);
const problems = (text: string) => problemsOfSecurityTxt(text, ORIGIN, NOW);

describe('the template of security.txt (RFC 9116)', () => {
  it('is valid once it is filled in, with or without its comments', () => {
    expect(problems(filled())).toEqual([]);
    expect(problems(filled().replace(/^#.*\n/gm, ''))).toEqual([]);
    expect(problems(filled().replaceAll('\n', '\r\n'))).toEqual([]);
  });

  it('is written to a path that is not served', () => {
    expect(TEMPLATE).not.toContain(SECURITY_TXT.slice(1));
    expect(TEMPLATE).not.toMatch(/\.txt$/);
  });

  it.each(['{contact}', '{expires}', '{origin}'])('is invalid while it contains %s', (placeholder) => {
    expect(securityTxtTemplate()).toMatch(
      new RegExp(`^[A-Z][a-z]+: ${placeholder.replace(/[{}]/g, '\\$&')}`, 'm'),
    );
    const [name = ''] = placeholder.match(/\w+/) ?? [];
    const values = { contact: 'https://pay.example/report', expires: '2027-06-30T00:00:00Z', origin: ORIGIN };
    const text = Object.entries(values)
      .filter(([key]) => key !== name)
      .reduce((text, [key, value]) => text.replaceAll(`{${key}}`, value), securityTxtTemplate());
    expect(problems(text)).toEqual([
      `it is still the template: put your own values in place of ${placeholder}`,
    ]);
  });

  it('is invalid as built, and the problem names all three placeholders', () => {
    expect(problems(securityTxtTemplate())).toEqual([
      expect.stringContaining('{contact}, {expires}, {origin}'),
    ]);
  });
});

describe('Expires', () => {
  it.each([
    ['2027-06-30T00:00:00Z', null],
    ['2027-11-22T00:00:00Z', null],
    ['2027-06-30T12:30:00.5+02:00', null],
    ['2026-12-23T00:00:00Z', null],
    ['2026-12-21T00:00:00Z', 'it expires at 2026-12-21T00:00:00Z: review the content and renew Expires'],
    ['2026-11-22T00:00:00Z', 'it expired at 2026-11-22T00:00:00Z: review the content and renew Expires'],
    ['2020-01-01T00:00:00Z', 'it expired at'],
    ['2028-01-01T00:00:00Z', 'Expires must be less than a year from now'],
    ['2027-06-30', 'Expires must be a time such as'],
    ['2027-13-45T00:00:00Z', 'Expires must be a time such as'],
    ['next year', 'Expires must be a time such as'],
    ['', 'Expires must be a time such as'],
  ])('%s: %s', (expires, problem) => {
    expect(problems(filled(expires))).toEqual(problem === null ? [] : [expect.stringContaining(problem)]);
  });

  it('must appear exactly once', () => {
    expect(problems(`${filled()}Expires: 2027-06-30T00:00:00Z\n`)).toEqual([
      'expected one line "Expires: "; got 2',
    ]);
    expect(problems(filled().replace(/^Expires.*\n/m, ''))).toEqual(['expected one line "Expires: "; got 0']);
  });
});

it.each([
  ['security@pay.example', 'Contact must begin with mailto:'],
  ['http://pay.example/report', 'Contact must begin with'],
  ['mailto:', 'Contact must begin with'],
  ['tel:+1-201-555-0123', null],
])('Contact: %s', (contact, problem) => {
  expect(problems(filled(undefined, contact))).toEqual(
    problem === null ? [] : [expect.stringContaining(problem)],
  );
});

it('a file without a contact or for another server is invalid', () => {
  expect(problems(filled().replace(/^Contact.*\n/m, ''))).toEqual(['expected a line "Contact: "; got none']);
  expect(problems(filled(undefined, undefined, 'https://other.example'))).toEqual([
    `Canonical must name ${ORIGIN}${SECURITY_TXT}; got "https://other.example${SECURITY_TXT}"`,
  ]);
});

describe('at a running service', () => {
  const TYPE = 'text/plain; charset=utf-8';
  const serving =
    (text: string, type = TYPE, status = 200): HttpGet =>
    async (url): Promise<GetResponse> => {
      expect(url).toBe(`${ORIGIN}${SECURITY_TXT}`);
      return { status, headers: type ? { 'content-type': type } : {}, body: Buffer.from(text) };
    };
  const at = (get: HttpGet, origin = ORIGIN) => checkSecurityTxt(origin, get, NOW);

  it('a valid file is no difference', async () => {
    expect(await at(serving(filled()))).toEqual({ differences: [], isMissing: false });
  });

  it('the template, a wrong type or status, and an expired file are differences', async () => {
    const differences = async (get: HttpGet) => (await at(get)).differences;
    expect(await differences(serving(securityTxtTemplate()))).toEqual([
      expect.stringMatching(/^\/\.well-known\/security\.txt: it is still the template/),
    ]);
    expect(await differences(serving(filled(), 'text/html'))).toEqual([
      `${SECURITY_TXT}: content-type: expected "text/plain; charset=utf-8"; got "text/html"`,
    ]);
    expect(await differences(() => Promise.reject(new Error('reset')))).toEqual([
      `${SECURITY_TXT}: no readable answer (reset)`,
    ]);
    expect(await differences(serving('', TYPE, 301))).toEqual([
      `${SECURITY_TXT}: expected status 200; got 301`,
    ]);
    expect(await differences(serving(filled('2026-01-01T00:00:00Z')))).toHaveLength(1);
  });

  it('a missing file is reported as missing; without https it is not requested', async () => {
    expect(await at(serving('', '', 404))).toEqual({ differences: [], isMissing: true });
    const never: HttpGet = () => Promise.reject(new Error('was requested'));
    expect(await at(never, 'http://127.0.0.1:4010')).toEqual({ differences: [], isMissing: false });
  });
});
