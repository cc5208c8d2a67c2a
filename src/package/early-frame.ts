import { releaseOf, serviceAt } from './load.ts';

/** Which frame. */
export type EarlyFrameOptions = {
  /** The release the page loads its script of, where it is pinned to one. */
  version?: string | undefined;
};

/**
 * The iframe as HTML, to be put into the container by the page itself: the form's document is then on its way
 * before any script is. `mount()` on the container finds and keeps it. Safe to print as it is.
 *
 * @example
 * `<div id="card-form">${earlyFrame('https://pay.example')}</div>`
 */
export const earlyFrame = (baseUrl: string, { version }: EarlyFrameOptions = {}): string => {
  const folder = `${serviceAt(baseUrl)}/card-form/`;
  const src = version === undefined ? `${folder}frame` : `${folder}${releaseOf(version)}/frame.html`;
  return `<iframe data-card-form-frame src="${escaped(src)}" title="Secure card form" sandbox="allow-scripts allow-same-origin allow-forms allow-modals" referrerpolicy="origin" allow="autofill"></iframe>`;
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
