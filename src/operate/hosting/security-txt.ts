/**
 * `/.well-known/security.txt` (RFC 9116): where to report a vulnerability of the service. The build writes a template,
 * because only the owner of the service knows contact, origin and expiry. `verify:served` fetches the served file and
 * reports what is missing, expired or not filled in.
 */

import { ORIGIN } from './headers.ts';
import type { GetResponse, HttpGet } from './http-get.ts';

/** Where the file is served, and nowhere else (RFC 9116, 3). */
export const SECURITY_TXT = '/.well-known/security.txt';

/** Where the build writes the template: not at the served path, so that copying `dist/` does not serve it as it is. */
export const TEMPLATE = 'well-known/security.txt.template';

const CONTACT = '{contact}';
const EXPIRES = '{expires}';

/** The template: instructions for the owner of the service, and the fields. */
export const securityTxtTemplate = (): string =>
  [
    `# Serve this file at ${SECURITY_TXT}, over https, as text/plain; charset=utf-8, with your own values:`,
    `#   ${CONTACT}   mailto:security@… or https://…, read by a person. Several lines: in order of preference.`,
    `#   ${EXPIRES}   when this file expires, such as 2030-06-30T00:00:00Z. Less than a year from now; renew it in time.`,
    `#   ${ORIGIN}    this server's origin, such as https://pay.example`,
    '# Then remove these lines. npm run verify:served reports mistakes, and when it is time to renew.',
    `Contact: ${CONTACT}`,
    `Expires: ${EXPIRES}`,
    'Preferred-Languages: en',
    `Canonical: ${ORIGIN}${SECURITY_TXT}`,
    '',
  ].join('\n');

const DAY = 86_400_000;
/** RFC 9116, 2.5.5 recommends less than a year, so that the content is reviewed. */
const MAX_DAYS = 366;
const RENEWAL_NOTICE_DAYS = 30;

/** What is wrong with the file of the service at `origin`, one sentence each. `now` in milliseconds. */
export const problemsOfSecurityTxt = (text: string, origin: string, now: number): readonly string[] => {
  const placeholders = [CONTACT, EXPIRES, ORIGIN].filter((placeholder) => text.includes(placeholder));
  if (placeholders.length > 0)
    return [`it is still the template: put your own values in place of ${placeholders.join(', ')}`];
  const values = (field: string): readonly string[] =>
    text
      .split(/\r?\n/)
      .filter((line) => line.toLowerCase().startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).trim());
  const contacts = values('contact');
  const canonical = values('canonical');
  return [
    ...(contacts.length === 0 ? ['expected a line "Contact: "; got none'] : []),
    ...contacts
      .filter((contact) => !/^(mailto:[^@\s]+@[^@\s]+|tel:\+?[\d-]+|https:\/\/\S+)$/.test(contact))
      .map((contact) => `Contact must begin with mailto:, tel: or https://; got "${contact}"`),
    ...problemsOfExpires(values('expires'), now),
    ...(canonical.length > 0 && !canonical.includes(`${origin}${SECURITY_TXT}`)
      ? [`Canonical must name ${origin}${SECURITY_TXT}; got "${canonical.join(', ')}"`]
      : []),
  ];
};

const problemsOfExpires = (values: readonly string[], now: number): readonly string[] => {
  const [value = ''] = values;
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(value);
  const days = (Date.parse(value) - now) / DAY;
  if (values.length !== 1) return [`expected one line "Expires: "; got ${values.length}`];
  if (!isTime || Number.isNaN(days))
    return [`Expires must be a time such as 2030-06-30T00:00:00Z; got "${value}"`];
  if (days <= 0) return [`it expired at ${value}: review the content and renew Expires`];
  if (days < RENEWAL_NOTICE_DAYS) return [`it expires at ${value}: review the content and renew Expires`];
  return days > MAX_DAYS ? [`Expires must be less than a year from now; got ${value}`] : [];
};

/** The result for a running service. Without https, as in development, the file is not required. */
export type SecurityTxtResult = { differences: readonly string[]; isMissing: boolean };

/** Fetches and checks the file of the service at `origin`. */
export const checkSecurityTxt = async (
  origin: string,
  get: HttpGet,
  now: number,
): Promise<SecurityTxtResult> => {
  if (!origin.startsWith('https:')) return { differences: [], isMissing: false };
  const problems = await get(origin + SECURITY_TXT, { accept: '*/*', 'accept-encoding': 'identity' }).then(
    (answer) => {
      if (answer.status === 404) return null;
      if (answer.status !== 200) return [`expected status 200; got ${answer.status}`];
      return problemsOfAnswer(answer, origin, now);
    },
    (error: Error) => [`no readable answer (${error.message})`],
  );
  return {
    differences: (problems ?? []).map((problem) => `${SECURITY_TXT}: ${problem}`),
    isMissing: problems === null,
  };
};

const problemsOfAnswer = ({ headers, body }: GetResponse, origin: string, now: number): readonly string[] => {
  const type = headers['content-type'] ?? '';
  return [
    ...(/^text\/plain(; *charset=utf-8)?$/i.test(type)
      ? []
      : [`content-type: expected "text/plain; charset=utf-8"; got ${type ? `"${type}"` : 'none'}`]),
    ...problemsOfSecurityTxt(body.toString('utf8'), origin, now),
  ];
};
