/**
 * Fetches data files, which are never executed. The caller has each file's hash, and the browser refuses an altered
 * file.
 */
import { SCRIPT_ALTERED } from './verified-import.ts';

/**
 * Fetches the file with this name and hash, `sha256-…`. Rejects if it fails to load or was altered; reports the latter.
 */
export const fetchData = async <Data>(name: string, integrity: string): Promise<Data> => {
  const { href } = new URL(`${import.meta.env.BASE_URL}assets/${name}.json`, location.href);
  const read = async (): Promise<Data> => (await fetch(href, { integrity })).json();
  try {
    return await read();
  } catch (error) {
    // Browsers give the same error for an altered and a missing file. A file that loads only without the check was
    // altered.
    const { ok } = await fetch(href);
    if (!ok) throw error;
    return await read().catch((again) => {
      dispatchEvent(new CustomEvent(SCRIPT_ALTERED, { detail: href }));
      throw again;
    });
  }
};
