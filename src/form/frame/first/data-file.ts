/**
 * Fetches data files, which are never executed. The caller has each file's hash. The browser could check it
 * (`integrity`), but gives the same error for an altered and a lost file, and Chromium then logs an error for a frame
 * that is removed meanwhile.
 */
import { SCRIPT_ALTERED } from './verified-import.ts';

/**
 * Fetches the file with this name and hash, `sha256-…`. Rejects if it fails to load or was altered; reports the latter.
 */
export const fetchData = async <Data>(name: string, integrity: string): Promise<Data> => {
  const { href } = new URL(`${import.meta.env.BASE_URL}assets/${name}.json`, location.href);
  const response = await fetch(href);
  if (!response.ok) throw new Error(`${response.status}`);
  const content = await response.arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
  if (integrity !== `sha256-${btoa(String.fromCharCode(...hash))}`) {
    dispatchEvent(new CustomEvent(SCRIPT_ALTERED, { detail: href }));
    throw new Error(SCRIPT_ALTERED);
  }
  return JSON.parse(new TextDecoder().decode(content));
};
