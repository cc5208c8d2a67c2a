// The worker of a kept thread: Vitest's own, except that when it ends it keeps listening for the next start.
import { parentPort } from 'node:worker_threads';
import { init, runBaseTests, setupEnvironment } from 'vitest/worker';

init({
  post: (response) => parentPort.postMessage(response),
  on: (callback) => parentPort.on('message', callback),
  off: (callback) => parentPort.off('message', callback),
  teardown: () => {},
  runTests: (state, traces) => runBaseTests('run', state, traces),
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
  setup: (context) => {
    // Stryker stores the active mutant here; the previous file's must not remain.
    delete globalThis.__stryker__;
    return setupEnvironment(context);
  },
});
