/** Starts programs that end with the test, together with every process they have started. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { basename } from 'node:path';

/** The amount of a program's output to keep, in characters. */
const KEPT = 100_000;

/** How long a program may take to exit on request, in ms. */
const PATIENCE = 3000;

export type Program = {
  /** Has the pipes that `stdio` requested, after stdin, stdout and stderr. */
  child: ChildProcess;
  /** The output so far, on stdout and stderr. */
  said(): string;
  isRunning(): boolean;
  /** Rejects with the output when the program ends or cannot be started. Never resolves. */
  ended: Promise<never>;
  /** Ends the program and everything it has started. */
  stop(): Promise<void>;
};

/** Starts a program as the leader of a new process group; `pipes` are extra ones, from 3 on. */
export const startProgram = (
  path: string,
  args: readonly string[],
  { env = {}, pipes = 0 }: { env?: Record<string, string>; pipes?: number } = {},
): Program => {
  const stdio: StdioOptions = [
    'ignore',
    'pipe',
    'pipe',
    ...Array.from({ length: pipes }, () => 'pipe' as const),
  ];
  const child = spawn(path, args, { stdio, detached: true, env: { ...process.env, ...env } });
  let said = '';
  const listen = (text: unknown) => {
    said = `${said}${text}`.slice(-KEPT);
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);

  const signal = (name: NodeJS.Signals) => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, name);
    } catch {
      // The group has no process left.
    }
  };
  // However a test worker ends, it leaves nothing behind.
  const endAll = () => signal('SIGKILL');
  process.once('exit', endAll);

  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const ended = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(new Error(`${path} could not be started: ${error.message}`)));
    child.once('exit', (code, by) =>
      reject(new Error(`${basename(path)} ended (${by ?? `code ${code}`}). It said:\n${said || 'nothing'}`)),
    );
  });
  // A caller that waits gets the error; if nobody waits, it must not be an unhandled rejection.
  ended.catch(() => undefined);

  return {
    child,
    said: () => said,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    ended,
    async stop() {
      signal('SIGTERM');
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, PATIENCE);
      });
      await Promise.race([gone, late]);
      clearTimeout(timer);
      endAll();
      await gone;
      process.off('exit', endAll);
    },
  };
};
