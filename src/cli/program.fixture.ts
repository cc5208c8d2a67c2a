/** The program itself, built and started in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** How a process ended, with all its output. */
export type Ended = { code: number | null; signal: string | null; out: string; err: string };

/**
 * Builds the program into a temporary folder, as version 1.2.3. `close` ends what still runs and removes the folder.
 */
export const buildProgram = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'card-form-'));
  const outDir = join(folder, 'dist/sandbox');
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(new URL('cli.ts', import.meta.url)),
      outDir,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'cli.mjs' } },
    },
  });
  writeFileSync(join(folder, 'package.json'), '{"version":"1.2.3"}');
  const program = join(outDir, 'cli.mjs');
  const running = new Set<ChildProcess>();
  const startWith = (env: Readonly<Record<string, string>>, ...argv: string[]) => {
    const child = spawn(process.execPath, [program, ...argv], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    running.add(child);
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const ended = new Promise<Ended>((resolve) => {
      child.on('close', (code, signal) => {
        running.delete(child);
        resolve({ code, signal, out, err });
      });
    });
    return { child, ended, out: () => out, err: () => err };
  };
  return {
    folder,
    program,
    startWith,
    start: (...argv: string[]) => startWith({}, ...argv),
    close: () => {
      for (const child of running) child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
};

export type Program = Awaited<ReturnType<typeof buildProgram>>;
