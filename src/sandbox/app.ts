import { Hono } from 'hono';
import { PREFIX } from '../api/routes.ts';
import { addClientRoutes, noSuchRoute } from './client-routes.ts';
import { answerToError, type SandboxEnv } from './context.ts';
import { addControl } from './control.ts';
import { addAccountControl } from './control-accounts.ts';
import { addMoneyControl } from './control-money.ts';
import { addWebhookControl } from './control-webhooks.ts';
import { ConnectionCut } from './errors.ts';
import type { JournalEntry } from './journal.ts';
import { addMoneyRoutes } from './money-routes.ts';
import { addServerRoutes } from './server-routes.ts';
import type { Service } from './service.ts';

/** Composition only: which routes there are, and what surrounds all of them. */
export const createApp = (service: Service): Hono<SandboxEnv> => {
  const app = new Hono<SandboxEnv>();

  // Nothing is told that a killed process could forget.
  app.use('*', (_, next) => service.working(next));

  app.use(`${PREFIX}/*`, async (c, next) => {
    c.set('entry', service.journal.open({ at: service.clock.now(), method: c.req.method }));
    let status: JournalEntry['status'] = 'cut';
    try {
      await next();
      status = c.res.status;
    } catch (error) {
      if (error instanceof ConnectionCut && error.refused) status = 'refused';
      throw error;
    } finally {
      // Of several deliveries the one that is heard, which a client route puts here.
      const { entry } = c.var;
      if (entry !== undefined) entry.status = status;
    }
  });

  addClientRoutes(app, service);
  addServerRoutes(app, service);
  addMoneyRoutes(app, service);
  addControl(app, service);
  addAccountControl(app, service);
  addMoneyControl(app, service);
  addWebhookControl(app, service);

  app.notFound((c) => answerToError(noSuchRoute(), c.var.entry));
  app.onError((error, c) => answerToError(error, c.var.entry));
  return app;
};
