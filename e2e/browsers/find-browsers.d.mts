import type { LaunchOptions } from 'playwright';

/** A browser's file and where it was found: the variable that named it, "Playwright's own" or "system". */
export type FoundBrowser = { path: string; source: string };

/** `launchOptions` is everything that `firefox.launch()` needs. */
export type FoundFirefox = FoundBrowser & { launchOptions: LaunchOptions };

export type FoundWebKit = FoundBrowser &
  /** Driven by Playwright. */
  (
    | { kind: 'playwright' }
    /** Driven through the WebDriver protocol; `driver` and `screen` (an Xvfb) are files. */
    | { kind: 'webdriver'; driver: string; screen: string }
  );

/** The first Chromium that starts and where it was found, or null. Throws if CHROMIUM_PATH is set but doesn't start. */
export declare const findChromium: () => FoundBrowser | null;

/** Chromium's headless shell; null if there is none or CHROMIUM_PATH is set. */
export declare const findHeadlessShell: () => (FoundBrowser & { launchOptions: LaunchOptions }) | null;

/** The first Firefox that starts, or null. Throws if FIREFOX_PATH names none. */
export declare const findFirefox: () => FoundFirefox | null;

/** The first WebKit that starts, or null. */
export declare const findWebKit: () => FoundWebKit | null;

/** True if a missing browser fails the run (`CI=true`) instead of being skipped. */
export declare const allRequired: () => boolean;

/** Messages for a missing browser, with the remedy. */
export declare const MISSING: Readonly<Record<'chromium' | 'firefox' | 'webkit', string>>;
