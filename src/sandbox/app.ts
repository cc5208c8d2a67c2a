import { Hono } from 'hono';
import { PREFIX } from '../api/routes.ts';
import { addControl, CONTROL } from './control/control.ts';
import { addAccountControl } from './control/control-accounts.ts';
import { addChanges, addControlLog, addInspectorControl } from './control/control-inspector.ts';
import { addMoneyControl } from './control/control-money.ts';
import { addWebhookControl } from './control/control-webhooks.ts';
import { ConnectionCut } from './core/errors.ts';
import type { RequestLogEntry } from './core/request-log.ts';
import { addClientRoutes, noSuchRoute } from './http/client-routes.ts';
import { responseToError, type SandboxEnv } from './http/context.ts';
import { addMoneyRoutes } from './http/money-routes.ts';
import { addServerRoutes } from './http/server-routes.ts';
import type { Service } from './http/service.ts';

/** Composition only: which routes there are, and what surrounds all of them. */
export const createApp = (service: Service): Hono<SandboxEnv> => {
  const app = new Hono<SandboxEnv>();

  // First of all: who waits there does no work that anything would have to be kept for.
  addChanges(app, service);

  // Nothing is told that a killed process could forget.
  app.use('*', async (c, next) => {
    try {
      await service.runAndSave(next);
    } finally {
      // Looking on is no news, or looking on would never end.
      if (c.req.method !== 'GET' || !c.req.path.startsWith(`${CONTROL}/`)) service.changeFeed.notify();
    }
  });

  app.use(`${PREFIX}/*`, async (c, next) => {
    c.set('entry', service.requestLog.open({ at: service.clock.now(), method: c.req.method }));
    service.changeFeed.notify();
    let status: RequestLogEntry['status'] = 'cut';
    try {
      await next();
      status = c.res.status;
    } catch (error) {
      if (error instanceof ConnectionCut && error.refused) status = 'refused';
      throw error;
    } finally {
      // Of several deliveries the one that is heard, which a client route puts here.
      const { entry } = c.var;
      if (entry !== undefined) {
        entry.status = status;
        entry.took = service.clock.now() - entry.at;
      }
    }
  });

  addClientRoutes(app, service);
  addServerRoutes(app, service);
  addMoneyRoutes(app, service);
  addControlLog(app, service);
  addControl(app, service);
  addInspectorControl(app, service);
  addAccountControl(app, service);
  addMoneyControl(app, service);
  addWebhookControl(app, service);

  app.notFound((c) => responseToError(noSuchRoute(), c.var.entry));
  app.onError((error, c) => responseToError(error, c.var.entry));
  return app;
};
