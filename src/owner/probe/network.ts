/** Extracts a form's network activity from the HAR that the browser records. */
import * as z from 'zod/mini';
import { CLIENT_ROUTES, STATIC_ROUTES } from '../../api/routes.ts';

import type { Observed, Seen } from './diagnose.ts';

const Har = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        request: z.object({ method: z.string(), url: z.string() }),
        response: z.object({
          status: z.number(),
          headers: z.array(z.object({ name: z.string(), value: z.string() })),
          content: z.object({ text: z.optional(z.string()) }),
          /** Playwright's addition: why there was no answer. */
          _failureText: z.optional(z.string()),
        }),
      }),
    ),
  }),
});

const ErrorBody = z.object({ error: z.object({ code: z.string().check(z.regex(/^\w{1,60}$/)) }) });

/** The code of a service error; nothing else from the body, which may contain anything. */
const codeIn = (text: string): string => {
  try {
    return ErrorBody.safeParse(JSON.parse(text)).data?.error.code ?? '';
  } catch {
    return '';
  }
};

/** Requests cancelled by the browser itself, as when a frame is removed, are not the file's fault. */
const GIVEN_UP = /ABORTED|blockedbyclient|BLOCKED_BY_CLIENT/i;

/** The last answers, the cookies and the failed files. `script` is the script's address. */
export const networkIn = (
  har: string,
  origin: string,
  script: string,
): Pick<Observed, 'loader' | 'frame' | 'read' | 'cookies' | 'files'> => {
  const last: Record<'loader' | 'frame' | 'read', Seen | null> = { loader: null, frame: null, read: null };
  const cookies: string[] = [];
  const files: string[] = [];
  for (const { request, response } of Har.parse(JSON.parse(har)).log.entries) {
    const { method, url } = request;
    const address = URL.canParse(url) ? new URL(url) : null;
    if (address?.origin !== origin) continue;
    const { pathname } = address;
    const { headers, content, _failureText: failure } = response;
    const status = Math.max(0, response.status);
    if (headers.some(({ name }) => name.toLowerCase() === 'set-cookie')) cookies.push(origin + pathname);
    const isFrame = pathname === STATIC_ROUTES.frame || pathname.endsWith('/frame.html');
    const kind =
      pathname === script
        ? 'loader'
        : pathname === CLIENT_ROUTES.retrieve
          ? 'read'
          : isFrame
            ? 'frame'
            : null;
    if (kind !== null) {
      const isRefused = kind === 'read' && status !== 0 && status !== 200;
      last[kind] = { url, status, why: isRefused ? codeIn(content.text ?? '') : (failure ?? '') };
    } else if (method === 'GET' && status >= 400) files.push(`${url} answered ${status}`);
    else if (method === 'GET' && failure !== undefined && !GIVEN_UP.test(failure))
      files.push(`${url} got no answer (${failure})`);
  }
  return { ...last, cookies, files };
};
