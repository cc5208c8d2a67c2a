/** The first nginx that starts, or null. */
export declare const findNginx: () => string | null;
