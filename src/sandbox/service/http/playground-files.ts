import { PLAYGROUND } from '../../../api/routes.ts';
import type { BuiltFiles } from './built-files.ts';
import { createDeveloperPage, type PageFiles, policyOf } from './developer-page.ts';

/** Allows the Trusted Types policy that `loadCardForm()` uses to add the form's script. */
const POLICY = policyOf('card-form');

/** The names of the script and the style contain a hash of their content. */
const ASSET = /^assets\/[\w-]+\.(js|css)$/;

const DOCUMENT = 'playground/index.html';

/**
 * Answers a request for the playground; `null` for any other request. Inserts this sandbox's publishable key into the
 * document, where an owner who hosts the playground inserts theirs.
 */
export const createPlaygroundFiles = (files: BuiltFiles, publishableKey: string): PageFiles => {
  const withKey: BuiltFiles = (name) => {
    const content = files(name);
    if (content === null || name !== DOCUMENT) return content;
    const filled = `data-publishable-key="${publishableKey}"`;
    return Buffer.from(content.toString('utf8').replace('data-publishable-key=""', filled));
  };
  return createDeveloperPage(withKey, {
    path: PLAYGROUND,
    policy: POLICY,
    fileAt: (pathname) => {
      if (pathname === PLAYGROUND) return DOCUMENT;
      const name = pathname.startsWith(PLAYGROUND) ? pathname.slice(PLAYGROUND.length) : '';
      return ASSET.test(name) ? `playground/${name}` : null;
    },
  });
};
