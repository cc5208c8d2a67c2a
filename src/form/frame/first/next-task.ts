/** Resolves in another task, after input events that are waiting. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
