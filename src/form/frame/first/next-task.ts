/** Resolves in another task, after pending input events. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
