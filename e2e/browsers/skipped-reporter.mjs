/**
 * A reporter that says at the end of a run what was skipped and why; Playwright's own of one line only counts.
 * Plain JavaScript, since Playwright wants a default export, which the sources of the project never have.
 */
export default class Skipped {
  #lines = new Set();

  onTestEnd({ annotations, parent }) {
    for (const { type, description } of annotations) {
      if (type === 'skip' && description) this.#lines.add(`${parent.project()?.name}: ${description}`);
    }
  }

  onEnd() {
    for (const line of this.#lines) console.log(`  skipped in ${line}`);
  }
}
