/** Starts programs that end with the test, with every process they have started. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { basename } from 'node:path';

/** How much of a program's output is kept, in characters. */
const KEPT = 100_000;

/** How long a program may take to end when it is asked to, in ms. */
const PATIENCE = 3000;

export type Program = {
  /** The pipes after stdin, stdout and stderr are there as `stdio` asked for them. */
  child: ChildProcess;
  /** What it wrote to stdout and stderr so far. */
  said(): string;
  isRunning(): boolean;
  /** Rejects when the program ends or cannot be started, with what it said. Never resolves. */
  ended: Promise<never>;
  /** Ends it and whatever it has started. */
  stop(): Promise<void>;
};

/** Starts a program at the head of a process group of its own; `pipes` are extra ones from 3 on. */
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
      // No process of the group is left.
    }
  };
  // A worker of the tests that ends in whatever way leaves nothing behind.
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
  // A caller that waits gets the error; without one it is not an unhandled rejection.
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
