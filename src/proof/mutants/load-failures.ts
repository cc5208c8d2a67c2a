import type { Reporter, Vitest } from 'vitest/node';

/**
 * Adds a failed test to a test file that failed to load. Stryker looks only at tests: if a fixture throws because of a
 * mutant, Stryker would count the mutant as a survivor.
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
