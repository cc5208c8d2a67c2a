import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Number of lines repeated from an error: its message and the first lines of a comparison. */
const LINES = 15;

/**
 * A reporter that prints at the end of a run what a long log hides: skipped tests with their reasons, and the errors of
 * each failed test. Playwright's line reporter only counts the former, and prints the latter where they happened. Plain
 * JavaScript, because Playwright requires a default export, which the project's sources never have.
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
    // For a timeout, the second error says where it waited.
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
