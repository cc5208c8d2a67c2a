/** The first Chromium that starts and where it was found, or null. */
export declare const findChromium: () => { path: string; source: string } | null;
