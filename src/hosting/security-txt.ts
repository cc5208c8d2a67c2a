/**
 * `/.well-known/security.txt` (RFC 9116): whom to tell of a weakness of the service. The build writes a template, since
 * only the service's owner knows the contact, the origin and for how long both hold; `verify:served` asks for the file
 * as it is served, and names what is missing, out of date or still the template's.
 */
import type { Answer, Ask } from './ask.ts';
import { ORIGIN } from './headers.ts';

/** Where the file is served, and nowhere else (RFC 9116, 3). */
export const SECURITY_TXT = '/.well-known/security.txt';

/** Where the build writes the template. Not at its address: copied as it is, it must not be taken for the file. */
export const TEMPLATE = 'well-known/security.txt.template';

const CONTACT = '{contact}';
const EXPIRES = '{expires}';

/** How an owner fills it in, and the fields that name nothing of ours. */
export const securityTxtTemplate = (): string =>
  [
    `# Serve this file at ${SECURITY_TXT}, over https, as text/plain; charset=utf-8, with your own values:`,
    `#   ${CONTACT}   mailto:security@… or https://…, read by a person. More lines of it: in order of preference.`,
    `#   ${EXPIRES}   until when this holds, such as 2030-06-30T00:00:00Z. Less than a year from now; renew it in time.`,
    `#   ${ORIGIN}    this server, as in https://pay.example`,
    '# Then remove these lines. npm run verify:served says what is wrong, and when it is time to renew.',
    `Contact: ${CONTACT}`,
    `Expires: ${EXPIRES}`,
    'Preferred-Languages: en',
    `Canonical: ${ORIGIN}${SECURITY_TXT}`,
    '',
  ].join('\n');

const DAY = 86_400_000;
/** RFC 9116, 2.5.5: less than a year ahead is recommended, so that what is written is looked at now and then. */
const LONGEST = 366;
/** Days before the end at which it is said that there is one. */
const RENEW = 30;

/** What is wrong with the text that a service at `origin` sends, one sentence each. `now` in milliseconds. */
export const problemsOfSecurityTxt = (text: string, origin: string, now: number): readonly string[] => {
  const left = [CONTACT, EXPIRES, ORIGIN].filter((placeholder) => text.includes(placeholder));
  if (left.length > 0)
    return [`it is still the template: put your own values in place of ${left.join(', ')}`];
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
  if (days <= 0) return [`it expired at ${value}: check what it says, and renew Expires`];
  if (days < RENEW) return [`it expires at ${value}: check what it says, and renew Expires`];
  return days > LONGEST ? [`Expires must be less than a year from now; got ${value}`] : [];
};

/** What a running service says of it. Without https there is nothing to ask, and nothing has to be there. */
export type SecurityTxtFound = { differences: readonly string[]; isMissing: boolean };

/** Asks the service at `origin` for the file. */
export const securityTxtAt = async (origin: string, ask: Ask, now: number): Promise<SecurityTxtFound> => {
  if (!origin.startsWith('https:')) return { differences: [], isMissing: false };
  const problems = await ask(origin + SECURITY_TXT, { accept: '*/*', 'accept-encoding': 'identity' }).then(
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

const problemsOfAnswer = ({ headers, body }: Answer, origin: string, now: number): readonly string[] => {
  const type = headers['content-type'] ?? '';
  return [
    ...(/^text\/plain(; *charset=utf-8)?$/i.test(type)
      ? []
      : [`content-type: expected "text/plain; charset=utf-8"; got ${type ? `"${type}"` : 'none'}`]),
    ...problemsOfSecurityTxt(body.toString('utf8'), origin, now),
  ];
};
