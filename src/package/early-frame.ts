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
export const earlyFrame = (baseUrl: string, { version }: EarlyFrameOptions = {}): string => {
  const folder = `${serviceAt(baseUrl)}/card-form/`;
  const src = version === undefined ? `${folder}frame` : `${folder}${checkRelease(version)}/frame.html`;
  return `<iframe data-card-form-frame src="${escaped(src)}" title="Secure card form" sandbox="allow-scripts allow-same-origin allow-forms allow-modals" referrerpolicy="origin" allow="autofill"></iframe>`;
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
