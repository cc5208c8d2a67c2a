/** Launch options for Chromium in the tests. */
import type { LaunchOptions } from 'playwright/test';
import { findChromium, findHeadlessShell } from './find-browsers.mjs';

const args = [
  // Chromium refuses to run as root with its sandbox on.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const whole = findChromium();
const shell = findHeadlessShell();

/** The whole browser, for tests of features that the headless shell lacks. */
export const WHOLE_CHROMIUM: LaunchOptions = { ...(whole ? { executablePath: whole.path } : {}), args };

/** The headless shell, which takes half the time; or the whole browser if there is no shell. */
export const TEST_CHROMIUM: LaunchOptions = shell ? { ...shell.launchOptions, args } : WHOLE_CHROMIUM;
