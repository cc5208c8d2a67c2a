/**
 * Loaded only for a form with an appearance: the parser, the rules of hosted fonts, and the layouts' styles. Also loads
 * the page's fonts and the styles by part and state, if there are any.
 */
import { fontFaces } from 'virtual:hosted-fonts';
import { bareName, facesOf } from '../appearance/page-faces.ts';
import { type ResolvedAppearance, resolveAppearance } from '../appearance/resolve.ts';
import { FONT_PROPERTY } from '../appearance/tokens.ts';
import { measure } from '../channel/bounds.ts';
import type { FrameMessage } from '../channel/messages.ts';
import { adoptStyles } from './first/adopt-styles.ts';
import type { ThemeParser } from './first/theme.ts';
import { markOuterEdges } from './outer-edges.ts';
import type { PageFontDeps } from './page-fonts.ts';
import card from './styles/card-layout.css?inline';
import floating from './styles/floating-labels.css?inline';
import grouped from './styles/grouped-fields.css?inline';
import hidden from './styles/hidden-labels.css?inline';

adoptStyles(floating);
adoptStyles(grouped);
markOuterEdges(document.documentElement);

/** Maximum wait for the page's look before the form starts without it, in ms. */
const PATIENCE = 1500;

/** Families and layouts whose rules have been added. */
const adopted = new Set<string>();

const adoptOnce = (name: string, rules: () => string) => {
  if (adopted.has(name)) return;
  adopted.add(name);
  adoptStyles(rules());
};

/** Adds the rules of the hosted fonts in this list. The browser fetches a font's file when a text needs its letters. */
const adoptFonts = (list: string) => {
  for (const [family, rules] of Object.entries(fontFaces))
    if (list.includes(`"${family}"`)) adoptOnce(family, rules);
};

/** Adds these layouts' rules, only to forms that use them: with each rule, typing a digit restyles more elements. */
const adoptLayout = ({ labels, card: fields, placeholders, brands }: ResolvedAppearance['look']) => {
  if (labels === 'hidden') adoptOnce('labels', () => hidden);
  if (fields === 'row' || placeholders === 'hidden' || brands === 'hidden') adoptOnce('card', () => card);
};

/** The latest appearance's styles by part and state. */
let sheet: CSSStyleSheet | undefined;
let latest = 0;

const NOT_LOADED = {
  css: '',
  problems: [{ option: 'appearance.rules', message: 'A file of the form failed to load. They are ignored.' }],
};

const wear = (css: string) => {
  if (css && !sheet) {
    sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
  sheet?.replaceSync(css);
};

export const appearance = {
  resolve: async (...[appearance, page, description, style, fonts]: Parameters<ThemeParser['resolve']>) => {
    latest += 1;
    const mine = latest;
    const resolved = resolveAppearance(appearance, page, description, style, facesOf(fonts));
    const { ruled } = resolved;
    const written = ruled
      ? await import('../appearance/rule-styles.ts').then(
          ({ writeRules }) => writeRules(ruled, style),
          () => NOT_LOADED,
        )
      : { css: '', problems: [] };
    adoptFonts(resolved.properties.get(FONT_PROPERTY) ?? '');
    adoptLayout(resolved.look);
    if (mine === latest) wear(written.css);
    return { ...resolved, problems: [...resolved.problems, ...written.problems] };
  },
  /** Asks the page for the look of what `appearance.from` names, and replaces `from` with the answer. */
  async takeFrom(init: { appearance?: unknown }, port: Pick<MessagePort, 'postMessage'>): Promise<void> {
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise<unknown>((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
      setTimeout(resolve, PATIENCE);
    });
    const question = { type: 'update', from: true, reply: port2 } as const;
    port.postMessage(question satisfies FrameMessage, [port2]);
    const from = await answer;
    port1.close();
    if (Array.isArray(from) && measure(from) === 'plain')
      init.appearance = { ...Object(init.appearance), from };
  },
  /** Asks the page for its fonts, which are used where `resolve` names them. */
  async loadFonts(fonts: unknown, deps: PageFontDeps): Promise<void> {
    const { followFonts } = await import('./page-fonts.ts');
    const faces = facesOf(fonts);
    followFonts(fonts, (family) => faces.get(bareName(`${family}`)), deps);
  },
};
