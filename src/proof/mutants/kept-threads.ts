/**
 * A pool for Vitest that keeps its threads. Each mutant runs a few test files, each of which would start a thread and
 * load Vitest into it, which takes fifty times as long as the tests. A file's modules are evaluated again, as Vitest
 * does for files that share a thread; only Node and node_modules stay loaded. With one process, the mutants of
 * src/form/frame/press take 1:39 with this pool and 7:18 with Vitest's own.
 */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { PoolOptions, PoolRunnerInitializer, PoolWorker, Vite, WorkerRequest } from 'vitest/node';

type Listener = (message: unknown) => void;

/** Threads not in use by a run. */
const idle: Worker[] = [];

const startThread = ({ env, execArgv }: PoolOptions): Worker => {
  const thread = new Worker(fileURLToPath(new URL('kept-worker.mjs', import.meta.url)), {
    env,
    execArgv,
    stdout: true,
    stderr: true,
  });
  thread.on('exit', () => {
    const index = idle.indexOf(thread);
    if (index !== -1) idle.splice(index, 1);
  });
  thread.unref();
  return thread;
};

const createPoolWorker = (options: PoolOptions): PoolWorker => {
  const thread = idle.pop() ?? startThread(options);
  const listeners: [string, Listener][] = [];
  return {
    name: 'kept-threads',
    start: async () => {},
    stop: async () => {
      for (const [event, listener] of listeners) thread.off(event, listener);
      idle.push(thread);
    },
    on: (event, listener) => {
      listeners.push([event, listener]);
      thread.on(event, listener);
    },
    off: (event, listener) => {
      thread.off(event, listener);
    },
    send: (message: WorkerRequest) => thread.postMessage(message),
    deserialize: (data) => data,
  };
};

const pool: PoolRunnerInitializer = { name: 'kept-threads', createPoolWorker };

/** Makes every project use the pool, even if the caller of Vitest named a different one, as Stryker does. */
export const keptThreads = (): Vite.Plugin => ({
  name: 'card-form:kept-threads',
  configureVitest({ project }) {
    project.config.poolRunner = pool;
    Object.assign(project.config, { pool: pool.name });
  },
});
