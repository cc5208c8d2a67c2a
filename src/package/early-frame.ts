import { checkRelease, serviceAt } from './load.ts';

export type EarlyFrameOptions = {
  /** The release of the page's script, if it is pinned to one. */
  version?: string | undefined;
};

/**
 * Returns the HTML of the form's iframe, for the page to render inside the container: the browser then loads the form
 * without waiting for any script, and `mount()` on the container uses this iframe. Already escaped.
 *
 * @example
 * `<div id="card-form">${earlyFrame('https://pay.example')}</div>`
 */
export const earlyFrame = (baseUrl: string, options: EarlyFrameOptions = {}): string => {
  const attributes = Object.entries(earlyFrameAttributes(baseUrl, options));
  const written = attributes.map(([name, value]) => (value === '' ? name : `${name}="${escaped(value)}"`));
  return `<iframe ${written.join(' ')}></iframe>`;
};

/** The attributes of that iframe, by their names in HTML. */
export const earlyFrameAttributes = (baseUrl: string, { version }: EarlyFrameOptions) => {
  const folder = `${serviceAt(baseUrl)}/card-form/`;
  return {
    'data-card-form-frame': '',
    src: version === undefined ? `${folder}frame` : `${folder}${checkRelease(version)}/frame.html`,
    title: 'Secure card form',
    sandbox: 'allow-scripts allow-same-origin allow-forms allow-modals allow-popups',
    referrerpolicy: 'origin',
    allow: 'autofill;payment;publickey-credentials-get',
  } as const;
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
