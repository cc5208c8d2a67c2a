import { INSPECTOR, PLAYGROUND } from '../../api/routes.ts';
import { tokenFragment } from '../service/http/developer-page.ts';
import { createSandbox } from '../service/sandbox.ts';
import { listen } from '../service/server.ts';
import type { sandboxOf } from './sandbox-options.ts';

/** A line of a command's startup output. */
export const line = (name: string, value: string): string => `  ${name.padEnd(17)}${value}`;

/** Starts a sandbox server. `lines`: its addresses and keys, for the terminal. */
export const startService = async (
  { sandbox: options, ...address }: ReturnType<typeof sandboxOf>,
  files: { root: string; shop?: () => string | undefined },
) => {
  const sandbox = createSandbox(options);
  const server = await listen(sandbox, { ...address, ...files }).catch(async (error: unknown) => {
    await sandbox.close();
    throw error;
  });
  const { url, elsewhere, integrity, controlToken: token } = server;
  const lines = [
    ...elsewhere.map((other) => line('other machines', other)),
    line('inspector', url + INSPECTOR + tokenFragment(token)),
    line('playground', url + PLAYGROUND + tokenFragment(token)),
    line('publishable key', sandbox.keys.publishable),
    line('secret key', sandbox.keys.secret),
    line('integrity', integrity),
    ...(token === null ? [] : [line('control token', token)]),
    ...(options.state === undefined ? [] : [line('kept in', options.state)]),
    ...(sandbox.isSeeded ? ['  Seeded: its ids and client secrets can be guessed.'] : []),
  ];
  const close = async () => {
    await Promise.all([sandbox.close(), server.close()]);
  };
  return { url, keys: sandbox.keys, lines, close };
};
