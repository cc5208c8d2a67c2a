/**
 * Tells a script that came altered from one that did not come. The browser runs neither, and `import()` rejects with
 * the same error for both; but a form that can do without a script that did not come must not go on beside one that
 * somebody changed. The build sends every `import()` of the frame through here (`hosting/document.ts`).
 */

/** Happens to the window when a script was altered; its detail is the address, where the browser names it. */
export const ALTERED = 'card-form-altered';

/** Runs an `import()`; it rejects as it would without. */
export const verified = async <Module>(load: () => Promise<Module>): Promise<Module> => {
  try {
    return await load();
  } catch (error) {
    const message = String(error);
    const file = /https?:\S+/.exec(message)?.[0];
    // Chromium and Firefox name the address in the error, and say elsewhere that it was answered. WebKit says why.
    const came = performance
      .getEntriesByName(`${file}`)
      .some((one) => 'responseStatus' in one && one.responseStatus === 200);
    if (came || /integrity/.test(message)) dispatchEvent(new CustomEvent(ALTERED, { detail: file }));
    throw error;
  }
};
