// What runs in a kept thread: Vitest's own worker, except that its end leaves it listening for the next start.
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
    // Stryker notes here which mutant is active, and that of the file before must not be.
    delete globalThis.__stryker__;
    return setupEnvironment(context);
  },
});
