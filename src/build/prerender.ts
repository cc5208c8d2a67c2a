/**
 * Renders the form into the frame's document at build time, using the components that later hydrate it
 * (`frame/prerender.tsx`), so that it is visible before any script runs.
 */
import { fileURLToPath } from 'node:url';
import { type Plugin, type PluginOption, runnerImport } from 'vite';
import { en } from '../form/i18n/en.ts';
import { isFrame } from './document.ts';
import { inLanguage } from './language-document.ts';

const ENTRY = fileURLToPath(new URL('../form/frame/prerender.tsx', import.meta.url));

/** Applies to builds and to the development server. `plugins` returns the plugins needed to load the components. */
export const prerenderedForm = (plugins: () => readonly PluginOption[]): Plugin => ({
  name: 'card-form:prerendered-form',
  transformIndexHtml: {
    order: 'pre',
    async handler(html, { filename, server }) {
      if (!isFrame(filename)) return html;
      const { module } = await runnerImport<{ insertStaticForm(html: string): string }>(ENTRY, {
        configFile: false,
        logLevel: 'error',
        plugins: [...plugins()],
      });
      const keyed = module.insertStaticForm(html);
      return server ? inLanguage(keyed, 'en', en) : keyed; // a build writes it in every language
    },
  },
});
