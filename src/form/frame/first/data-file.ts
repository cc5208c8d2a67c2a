/**
 * Fetches files of data, which no page executes. Each has its hash in what fetches it, and the browser refuses an altered one.
 */
import { SCRIPT_ALTERED } from './verified-import.ts';

/** The file of this name with this hash, `sha256-…`. Rejects if it does not load or was altered; the latter is reported, too. */
export const fetchData = async <Data>(name: string, integrity: string): Promise<Data> => {
  const { href } = new URL(`${import.meta.env.BASE_URL}assets/${name}.json`, location.href);
  const read = async (): Promise<Data> => (await fetch(href, { integrity })).json();
  try {
    return await read();
  } catch (error) {
    // Browsers give the same error for an altered file and a lost one. A file that arrives only without the check was altered.
    const { ok } = await fetch(href);
    if (!ok) throw error;
    return await read().catch((again) => {
      dispatchEvent(new CustomEvent(SCRIPT_ALTERED, { detail: href }));
      throw again;
    });
  }
};
