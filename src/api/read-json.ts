/** Reads the body of an answer. A separate file, so that the frame can show the total before the client is loaded. */

/**
 * In bytes. A larger body is not from the service: a hundred items with names of 500 characters, each character escaped
 * in twelve bytes, take 600,000; the rest of an intent takes less than 100,000 (largest-body.test.ts).
 */
export const LARGEST_BODY = 768 * 1024;

/** The part of a `Response` that is read. */
export type ReadableAnswer = {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly body: {
    cancel(): Promise<void>;
    getReader(): { read(): Promise<ReadableStreamReadResult<Uint8Array>>; cancel(): Promise<void> };
  } | null;
};

/** Returns the body as JSON, or `undefined` if it has another type, is too large, cut off or not JSON. */
export const readJson = async (answer: ReadableAnswer): Promise<unknown> => {
  const isJson = /^application\/json\s*(;|$)/i.test(answer.headers.get('Content-Type') ?? '');
  if (!isJson || !answer.body) {
    await answer.body?.cancel().catch(() => undefined);
    return undefined;
  }
  const reader = answer.body.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      if (size > LARGEST_BODY) {
        await reader.cancel();
        return undefined;
      }
      text += decoder.decode(part.value, { stream: true });
    }
    return JSON.parse(text + decoder.decode());
  } catch {
    return undefined;
  }
};
