/** Says at the end of a run what was skipped and why; the line reporter only counts. */
import type { Reporter, TestCase } from 'playwright/types/testReporter';

export default class Skipped implements Reporter {
  readonly #lines = new Set<string>();

  onTestEnd({ annotations, parent }: TestCase) {
    for (const { type, description } of annotations) {
      if (type === 'skip' && description) this.#lines.add(`${parent.project()?.name}: ${description}`);
    }
  }

  onEnd() {
    for (const line of this.#lines) console.log(`  skipped in ${line}`);
  }
}
