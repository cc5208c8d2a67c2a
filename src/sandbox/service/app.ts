import { Hono } from 'hono';
import { CONTROL, PREFIX } from '../../api/routes.ts';
import { addControl } from './control/control.ts';
import { addAccountControl } from './control/control-accounts.ts';
import { addChanges, addControlLog, addInspectorControl } from './control/control-inspector.ts';
import { addMoneyControl } from './control/control-money.ts';
import { addWebhookControl } from './control/control-webhooks.ts';
import { ConnectionCut } from './core/errors.ts';
import type { RequestLogEntry } from './core/request-log.ts';
import { addClientRoutes, noSuchRoute } from './http/client-routes.ts';
import { responseToError, type SandboxEnv } from './http/context.ts';
import { addReportRoutes } from './http/report-routes.ts';
import { addServerRoutes } from './http/server-routes.ts';
import type { Service } from './http/service.ts';

/** Wires all routes and the middleware around them. */
export const createApp = (service: Service): Hono<SandboxEnv> => {
  const app = new Hono<SandboxEnv>();

  // Before the middleware that saves: a request that waits for changes changes nothing that would have to be saved.
  addChanges(app, service);

  // Responds only after the changes are saved, so that a killed process loses nothing that it has confirmed to a
  // caller.
  app.use('*', async (c, next) => {
    try {
      await service.runAndSave(next);
    } finally {
      // The inspector's reads are not changes: each would trigger the next one.
      if (c.req.method !== 'GET' || !c.req.path.startsWith(`${CONTROL}/`)) service.changeFeed.notify();
    }
  });

  app.use(`${PREFIX}/*`, async (c, next) => {
    c.set(
      'entry',
      service.requestLog.open({ at: service.clock.now(), method: c.req.method, path: c.req.path }),
    );
    service.changeFeed.notify();
    let status: RequestLogEntry['status'] = 'cut';
    try {
      await next();
      c.header('date', new Date(service.clock.now()).toUTCString()); // contract 3.8
      status = c.res.status;
    } catch (error) {
      if (error instanceof ConnectionCut && error.refused) status = 'refused';
      throw error;
    } finally {
      // If a fault delivers the request several times, the client route sets `entry` to the delivery that gets the
      // response.
      const { entry } = c.var;
      if (entry !== undefined) {
        entry.status = status;
        entry.took = service.clock.now() - entry.at;
      }
    }
  });

  addClientRoutes(app, service);
  addServerRoutes(app, service);
  addReportRoutes(app, service);
  addControlLog(app, service);
  addControl(app, service);
  addInspectorControl(app, service);
  addAccountControl(app, service);
  addMoneyControl(app, service);
  addWebhookControl(app, service);

  app.notFound((c) => {
    const error = noSuchRoute();
    const response = responseToError(error, c.var.entry);
    if (c.req.header('sec-fetch-dest') !== 'script') return response;
    // Not JSON: for JSON, the console of a page of another origin says "blocked" (ORB, CORP) instead of "wrong
    // address".
    return new Response(`// ${error.message}\n`, {
      status: response.status,
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'cross-origin',
      },
    });
  });
  app.onError((error, c) => responseToError(error, c.var.entry));
  return app;
};
