/**
 * Helpers for the bindings' tests: a fake `CardForm`, and modules bundled with a given framework version, as a shop's
 * bundler would do it.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type {
  CardFormError,
  CardFormEventName,
  CardFormInstance,
  CardFormOptions,
} from '../form/loader/types.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Bundles a module with this `source` and imports it. In it, `#binding` is this folder. `alias` replaces packages, for
 * example with other versions; `files` are put beside the module; `plugin` is the package of a framework's plugin and
 * the name of its function.
 */
export const importBundle = async (
  source: string,
  {
    alias = {},
    plugin,
    files = {},
    ssr = false,
  }: {
    alias?: Readonly<Record<string, string>>;
    plugin?: readonly [from: string, name: string];
    files?: Readonly<Record<string, string>>;
    ssr?: boolean;
  } = {},
) => {
  const folder = await mkdtemp(join(root, 'node_modules/.binding-')); // below the packages it imports
  try {
    const config = {
      root: folder,
      publicDir: false,
      logLevel: 'error',
      mode: 'development',
      define: { 'process.env.NODE_ENV': '"development"' },
      resolve: {
        alias: { '#binding': join(root, 'src/merchant'), ...alias },
        extensionAlias: { '.js': ['.ts', '.js'] }, // CardForm.svelte imports a built file
      },
      ssr: { noExternal: true },
      build: {
        ssr,
        minify: false,
        outDir: 'out',
        rolldownOptions: {
          input: join(folder, 'entry.js'),
          preserveEntrySignatures: 'strict',
          output: { format: 'es', entryFileNames: 'entry.mjs' },
        },
      },
    };
    const plugins = plugin ? `[(await import('${plugin[0]}')).${plugin[1]}({ configFile: false })]` : '[]';
    for (const [name, text] of Object.entries({ ...files, 'entry.js': source }))
      await writeFile(join(folder, name), text);
    await writeFile(
      join(folder, 'vite.config.mjs'),
      `export default { ...${JSON.stringify(config)}, plugins: ${plugins} };`,
    );
    // In a separate process: a test with a DOM lacks Node features that the bundler needs.
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    await promisify(execFile)(process.execPath, [vite, 'build', '--config', join(folder, 'vite.config.mjs')]);
    return await import(/* @vite-ignore */ pathToFileURL(join(folder, 'out/entry.mjs')).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Stops happy-dom from logging that it doesn't load iframes. */
export const silenceIframes = () => {
  const { prototype } = HTMLIFrameElement;
  for (const symbol of Object.getOwnPropertySymbols(prototype))
    if (symbol.description === 'connectedToDocument')
      Reflect.defineProperty(prototype, symbol, { value: () => undefined });
};

/** A form mounted by a binding. */
export type FakeForm = {
  container: Element;
  options: CardFormOptions;
  /** Arguments of the calls to `update()`. */
  updates: object[];
  /** Results of `update()`, in order; then null. */
  answers: CardFormError[];
  isMounted: boolean;
  /** True if it was still in the page when it was unmounted: otherwise its iframe can't be parked. */
  leftInTime?: boolean;
  instance: Pick<CardFormInstance, 'refresh' | 'unmount'>;
  emit(name: CardFormEventName, detail: object): void;
};

/** Changes as posted: no proxies, no functions, and `true` for `appearance.from`, which may contain elements. */
const posted = (changes: { appearance?: object }): object => {
  const { appearance } = changes;
  const isFrom = appearance && 'from' in appearance;
  return structuredClone(isFrom ? { ...changes, appearance: { ...appearance, from: true } } : changes);
};

/**
 * Puts a `CardForm` on the page that behaves like the script's: one form per container, replacing its content. Returns
 * the forms in the order they were mounted.
 */
export const stubCardForm = (mistake?: Error): readonly FakeForm[] => {
  const forms: FakeForm[] = [];
  const mount = (container: Element, options: CardFormOptions) => {
    if (mistake) throw mistake;
    if (forms.some((form) => form.isMounted && form.container === container))
      throw new Error('already_mounted');
    const frame = container.querySelector('iframe[data-card-form-frame]') ?? document.createElement('iframe');
    container.append(frame);
    const handlers: ((name: string, detail: object) => void)[] = [];
    const updates: object[] = [];
    const answers: CardFormError[] = [];
    let settle = () => {};
    const instance = {
      result: new Promise<void>((resolve) => {
        settle = resolve;
      }),
      on: (_: '*', handler: (name: string, detail: object) => void) => handlers.push(handler),
      async update(changes: object) {
        updates.push(posted(changes));
        return answers.shift() ?? null;
      },
      refresh: async () => ({ outcome: 'unknown', reason: 'unmounted', paymentIntent: null }) as const,
      unmount: () => {
        form.isMounted = false;
        settle();
        form.leftInTime ??= frame.isConnected;
        frame.remove();
      },
    };
    const form: FakeForm = {
      container,
      options,
      updates,
      answers,
      isMounted: true,
      instance,
      emit: (name, detail) => {
        for (const handler of handlers) handler(name, detail);
      },
    };
    forms.push(form);
    return instance;
  };
  Reflect.set(window, 'CardForm', { version: '0.1.0-test', mount });
  return forms;
};

export const removeCardForm = () => Reflect.deleteProperty(window, 'CardForm');
