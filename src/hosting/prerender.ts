/**
 * Puts the form into the frame's document as it stands before any script has run, drawn when it is built by the
 * components that draw it later (`frame/prerender.tsx`).
 */
import { fileURLToPath } from 'node:url';
import { type Plugin, type PluginOption, runnerImport } from 'vite';

const ENTRY = fileURLToPath(new URL('../frame/prerender.tsx', import.meta.url));

/** Has the build do so, and the development server. `plugins`: what the components need to be loaded at all. */
export const standingForm = (plugins: () => readonly PluginOption[]): Plugin => ({
  name: 'card-form:standing-form',
  transformIndexHtml: {
    order: 'pre',
    async handler(html, { filename }) {
      if (!filename.endsWith('/frame/index.html')) return html;
      const { module } = await runnerImport<{ withForm(html: string): string }>(ENTRY, {
        configFile: false,
        logLevel: 'error',
        plugins: [...plugins()],
      });
      return module.withForm(html);
    },
  },
});
