import { ALLOW, MARK, REFERRER_POLICY, SANDBOX } from '../form/channel/iframe-attributes.ts';
import { ownProperties } from '../form/channel/own-property.ts';
import { checkRelease, serviceAt } from './load.ts';

export type EarlyFrameOptions = {
  /** The release of the page's script, if it is pinned. */
  version?: string | undefined;
  /**
   * Expected height of the form in CSS pixels, so that nothing moves. Default: 924, for a guest in the US on a phone.
   */
  height?: number | undefined;
  /**
   * The language the form will be mounted in, a tag such as `de-AT`: the `locale` of `mount()`, or else the one in the
   * visitor's `Accept-Language`. The form then needn't wait for its texts. Default: English.
   */
  locale?: string | undefined;
};

/**
 * Returns the HTML of the form's iframe, already escaped. Render it inside the container: the browser then loads the
 * form without waiting for any script, and `mount()` on the container uses this iframe.
 *
 * @example
 * `<div id="card-form">${earlyFrame('https://pay.example')}</div>`
 */
export const earlyFrame = (baseUrl: string, options: EarlyFrameOptions = {}): string => {
  const attributes = Object.entries(earlyFrameAttributes(baseUrl, options));
  const written = attributes.map(([name, value]) => (value === '' ? name : `${name}="${escaped(value)}"`));
  return `<iframe ${written.join(' ')}></iframe>`;
};

/** Attributes of that iframe, by HTML name. */
export const earlyFrameAttributes = (baseUrl: string, options: EarlyFrameOptions) => {
  const { version, locale = '', height = 924 } = ownProperties(options);
  const folder = `${serviceAt(baseUrl)}/card-form/`;
  return {
    [MARK]: '',
    src: `${folder}${version === undefined ? 'frame' : `${checkRelease(version)}/frame.html`}${languageQuery(locale)}`,
    title: 'Secure card form',
    sandbox: SANDBOX,
    referrerpolicy: REFERRER_POLICY,
    allow: ALLOW,
    // Attributes, because a strict Content-Security-Policy forbids inline styles.
    width: '100%',
    height: `${height}`,
    frameborder: '0',
    align: 'top',
  } as const;
};

/** The query string that selects the document's language. English has none. */
const languageQuery = (locale: string): string =>
  /^(?:$|auto$|en\b)/.test(locale) ? '' : `?${encodeURIComponent(locale)}`;

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
