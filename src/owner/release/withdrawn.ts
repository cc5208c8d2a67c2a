/**
 * The frame's document of a withdrawn release. It connects as the form does and reports that it can't load. Every
 * release's loader passes the reason on to the page, and shows it to the buyer instead of the form.
 */
import { STATIC_ROUTES } from '../../api/routes.ts';
import { headerRules, ORIGIN, type Rule } from '../../api/served/headers.ts';
import { inlineHashes } from '../../api/served/inline.ts';
import { FRAME_FILE } from '../../api/served/language-documents.ts';
import { WITHDRAWN_TEXTS } from './withdrawn-texts.ts';

/** Shown to the page's developer in the message of `loaderror`. */
const DETAIL = 'the service withdrew this release; load the moving script, or pin another release';

/**
 * Picks the buyer's language, then does the handshake of `channel/handshake.ts` and sends one message. Written by hand,
 * because it must not depend on anything of the withdrawn release.
 */
const scriptFor = (release: string): string =>
  `
const texts = ${JSON.stringify(WITHDRAWN_TEXTS)};
const served = { no: 'nb', nn: 'nb', yue: 'zh' };
for (const tag of navigator.languages) {
  let locale;
  try {
    locale = new Intl.Locale(tag).maximize();
  } catch {
    continue;
  }
  const code = served[locale.language] ?? locale.language;
  const language = code === 'zh' && locale.script === 'Hant' ? 'zh-Hant' : code;
  if (!Object.hasOwn(texts, language)) continue;
  document.documentElement.lang = language;
  document.documentElement.dir = language === 'ar' || language === 'he' ? 'rtl' : 'ltr';
  document.querySelector('p').textContent = texts[language];
  break;
}
if (parent !== window) {
  const hello = (more) => parent.postMessage({ channel: 'card-form', type: 'hello', protocols: [1], release: ${JSON.stringify(release)}, ...more }, '*');
  addEventListener('message', ({ source, origin, data, ports }) => {
    if (source !== parent || origin === 'null' || !data || data.channel !== 'card-form' || data.type === 'hello') return;
    if (data.protocol === undefined) hello({ again: true });
    else if (ports.length === 1) ports[0].postMessage({ type: 'loaderror', reason: 'withdrawn', file: ${JSON.stringify(DETAIL)} });
  });
  hello();
}
`;

/** Sets its own colours, because a frame without a background lies on the page, which may be dark. */
const STYLE =
  'body{margin:0;padding:16px;color:#222;background:#fff;font:16px/1.5 system-ui,sans-serif}p{margin:0;text-wrap:pretty}';

export const withdrawnDocument = (release: string): string =>
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Card form</title>
<style>${STYLE}</style>
<p>${WITHDRAWN_TEXTS.en}</p>
<script>${scriptFor(release)}</script>
</html>
`;

/**
 * The rules of a withdrawn release. The loader stays, so that pages that pinned it report what happened; the form's
 * scripts and styles are gone. The document may be replaced again, so browsers revalidate it every time.
 */
export const withdrawnRules = (release: string, rules: readonly Rule[]): readonly Rule[] => {
  const folder = STATIC_ROUTES.release(release);
  const inline = inlineHashes(withdrawnDocument(release));
  const frame = headerRules({ origin: ORIGIN, release, inline }).find(
    ({ address }) => address === STATIC_ROUTES.frame,
  );
  return rules
    .filter(({ address }) => address.startsWith(folder) && !address.includes('*'))
    .map((rule) =>
      rule.address === folder + FRAME_FILE && frame ? { ...rule, headers: frame.headers } : rule,
    );
};
