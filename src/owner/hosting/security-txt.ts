/**
 * `/.well-known/security.txt` (RFC 9116): where to report a vulnerability of the service. The build writes a template,
 * because only the service's owner knows the contact, origin and expiry date.
 */

import { ORIGIN } from '../../api/served/headers.ts';

/** The only address where the file is served (RFC 9116, 3). */
const SECURITY_TXT = '/.well-known/security.txt';

/** Where the build writes the template: not at the served path, so that copying `dist/` doesn't serve it unedited. */
export const TEMPLATE = 'well-known/security.txt.template';

const CONTACT = '{contact}';
const EXPIRES = '{expires}';

/** The template: instructions for the service's owner, and the fields. */
export const securityTxtTemplate = (): string =>
  [
    `# Serve this file at ${SECURITY_TXT}, over https, as text/plain; charset=utf-8, with your own values:`,
    `#   ${CONTACT}   mailto:security@… or https://…, read by a person. Several lines: in order of preference.`,
    `#   ${EXPIRES}   when this file expires, such as 2030-06-30T00:00:00Z. Less than a year from now; renew it in time.`,
    `#   ${ORIGIN}    this server's origin, such as https://pay.example`,
    '# Then remove these lines.',
    `Contact: ${CONTACT}`,
    `Expires: ${EXPIRES}`,
    'Preferred-Languages: en',
    `Canonical: ${ORIGIN}${SECURITY_TXT}`,
    '',
  ].join('\n');
