/**
 * The URL to which browsers send violation reports, only with the option `reports`. It is outside `/partner/v1`: the
 * service has no such route, and its owner chooses where reports go (docs/hosting.md).
 *
 * - `POST /reports` -> 204. 400 for a body of another type, structure or size, 429 above `MAX_PER_MINUTE`.
 * - `OPTIONS /reports` -> 204: browsers send a preflight before they report to an origin other than the document's.
 */
import type { Hono } from 'hono';
import { RefusedRequest } from '../core/errors.ts';
import { REPORT_TYPES, type ReportType, readReports } from './browser-reports.ts';
import type { SandboxEnv } from './context.ts';
import { countOrRefuse, createLimiter } from './limits.ts';
import { parseJson, readBytes } from './read-json.ts';
import type { Service } from './service.ts';

export const REPORTS = '/reports';

/** A browser sends a few reports at once, each smaller than two kilobytes. */
const MAX_BYTES = 64 * 1024;

/** Requests per address. A page that violates its policy on every keystroke must not fill the memory. */
const MAX_PER_MINUTE = 60;

/** Reports are sent without credentials, so any origin may send them. */
const CORS = { 'access-control-allow-origin': '*' };

export const addReportRoutes = (app: Hono<SandboxEnv>, service: Service): void => {
  if (service.reportLog === null) return;
  const { reportLog, clock } = service;
  const limiter = createLimiter(MAX_PER_MINUTE, clock.now);

  app.options(
    REPORTS,
    () =>
      new Response(null, {
        status: 204,
        headers: {
          ...CORS,
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'content-type',
          'access-control-max-age': '86400',
        },
      }),
  );

  app.post(REPORTS, async (c) => {
    countOrRefuse(limiter, c.env.address, 'reports from this address');
    const type = typeOf(c.req.raw);
    if (type === undefined)
      throw new RefusedRequest(
        'validation_error',
        `Reports must be sent as ${REPORT_TYPES.join(' or ')}; got another content type.`,
      );
    const reports = readReports(type, parseJson(await readBytes(c.req.raw, MAX_BYTES)), clock.now());
    if (reports === null)
      throw new RefusedRequest('validation_error', `The body is not in the format of ${type}.`);
    for (const report of reports) reportLog.add(report);
    return new Response(null, { status: 204, headers: CORS });
  });
};

const typeOf = (request: Request): ReportType | undefined => {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  return REPORT_TYPES.find((one) => one === type);
};
