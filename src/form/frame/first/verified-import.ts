/**
 * Distinguishes a script that failed its integrity check from one that failed to load; `import()` rejects with the same
 * error for both. The form can do without an optional script that did not load, but must stop if one was altered. The
 * build routes every `import()` of the frame through `verified` (`build/document.ts`).
 */

/** Dispatched on the window if a script was altered. `detail` is its address, if the browser reports it. */
export const SCRIPT_ALTERED = 'card-form-altered';

/** Runs an `import()` and rethrows its error. */
export const verified = async <Module>(load: () => Promise<Module>): Promise<Module> => {
  try {
    return await load();
  } catch (error) {
    const message = String(error);
    const file = /https?:\S+/.exec(message)?.[0];
    // Chromium and Firefox put the address into the error; its resource timing shows that a response arrived. WebKit's
    // error contains the reason.
    const hasResponse = performance
      .getEntriesByName(`${file}`)
      .some((one) => 'responseStatus' in one && one.responseStatus === 200);
    if (hasResponse || /integrity/.test(message))
      dispatchEvent(new CustomEvent(SCRIPT_ALTERED, { detail: file }));
    throw error;
  }
};
