import type { LaunchOptions } from 'playwright';

/** A browser's file and where it was found: the variable that named it, "Playwright's own" or "system". */
export type FoundBrowser = { path: string; source: string };

/** `launchOptions` is all that `firefox.launch()` must be given. */
export type FoundFirefox = FoundBrowser & { launchOptions: LaunchOptions };

export type FoundWebKit = FoundBrowser &
  /** One that Playwright drives. */
  (
    | { kind: 'playwright' }
    /** One that is driven by the WebDriver protocol; `driver` and `screen` (an Xvfb) are files. */
    | { kind: 'webdriver'; driver: string; screen: string }
  );

/** The first Chromium that starts and where it was found, or null. Throws if CHROMIUM_PATH names none. */
export declare const findChromium: () => FoundBrowser | null;

/** Chromium's headless shell, or null where there is none and where CHROMIUM_PATH is set. */
export declare const findHeadlessShell: () => (FoundBrowser & { launchOptions: LaunchOptions }) | null;

/** The first Firefox that starts, or null. Throws if FIREFOX_PATH names none. */
export declare const findFirefox: () => FoundFirefox | null;

/** The first WebKit that starts, or null. */
export declare const findWebKit: () => FoundWebKit | null;

/** Whether a browser that is missing fails the run (`CI=true`), where it would be skipped otherwise. */
export declare const allRequired: () => boolean;

/** What to say where a browser is missing, and what to do. */
export declare const MISSING: Readonly<Record<'chromium' | 'firefox' | 'webkit', string>>;
