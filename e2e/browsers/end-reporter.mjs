import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** How much of an error is repeated: its message and the first lines of a comparison. */
const LINES = 15;

/**
 * A reporter that ends a run with what a long log hides: what was skipped and why, and the errors of each test
 * that failed. Playwright's reporter of one line counts the first and prints the second where it happened. Plain
 * JavaScript, since Playwright wants a default export, which the sources of the project never have.
 */
export default class End {
  #skipped = new Set();
  #failed = [];

  onTestEnd(test, { status, errors }) {
    const project = test.parent.project()?.name;
    for (const { type, description } of test.annotations) {
      if (type === 'skip' && description) this.#skipped.add(`${project}: ${description}`);
    }
    if (status === 'skipped' || status === test.expectedStatus) return;
    // Of a timeout, the second error says where it waited.
    const lines = errors.flatMap(({ message = status, location }) => [
      ...stripVTControlCharacters(message).split('\n').slice(0, LINES),
      ...(location ? [`at ${basename(location.file)}:${location.line}`] : []),
    ]);
    this.#failed.push(
      `  failed in ${project}: ${test.titlePath().slice(2).join(' › ')}\n    ${lines.join('\n    ')}`,
    );
  }

  onEnd() {
    for (const line of this.#skipped) console.log(`  skipped in ${line}`);
    for (const failure of this.#failed) console.log(failure);
  }
}
