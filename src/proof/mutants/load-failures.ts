import type { Reporter, Vitest } from 'vitest/node';

/**
 * Gives a test file that could not be loaded a failed test. Stryker looks at tests only: it would take a mutant for
 * a survivor if a fixture throws because of it.
 */
export const loadFailures = (): Reporter => {
  let vitest: Vitest | null = null;
  return {
    onInit(started) {
      vitest = started;
    },
    onTestRunEnd() {
      for (const file of vitest?.state.getFiles() ?? []) {
        const { result, tasks } = file;
        if (result?.state !== 'fail' || (result.errors ?? []).length === 0) continue;
        const failed = { type: 'test', mode: 'run', name: 'can be loaded', file, meta: {}, result };
        Object.assign(tasks, { [tasks.length]: failed });
      }
    },
  };
};
