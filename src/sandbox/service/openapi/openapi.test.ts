import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { HTTP_STATUS } from '../../../api/errors.ts';
import { createApp } from '../app.ts';
import { API_ROUTES } from '../core/api-routes.ts';
import { createWorld } from '../sandbox.fixture.ts';
import { undocumented } from './openapi.fixture.ts';
import { documentedPath, openApi } from './openapi.ts';

const text = JSON.stringify(openApi('1.2.3'));

describe('openapi.json', () => {
  it('is valid OpenAPI 3.1, and all its references resolve', async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(text));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
    expect(() => validator.resolveRefs()).not.toThrow();
    const broken = JSON.parse(text);
    broken.paths['/partner/v1/refunds'].get.parameters[0].in = 'cookies';
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it('has every route that the sandbox serves below /partner/v1, and no other', () => {
    const served = createApp(createWorld().service)
      .routes.filter(({ path, method }) => path.startsWith('/partner/v1/') && method !== 'ALL')
      .map(({ method, path }) => `${method} ${documentedPath(path)}`);
    const documented = API_ROUTES.map(
      ({ method, path }) => `${method.toUpperCase()} ${documentedPath(path)}`,
    );
    expect([...new Set(served)].sort()).toEqual([...documented].sort());
  });

  it('has every error code of the API description on at least one route', () => {
    const codes = new Set(API_ROUTES.flatMap(({ codes }) => codes));
    expect([...codes].sort()).toEqual(Object.keys(HTTP_STATUS).sort());
  });

  it('is served by the sandbox', async () => {
    const response = await createWorld().control('openapi.json');
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ openapi: '3.1.0', info: { version: 'v1' } });
  });

  it('marks the routes that the API description does not show', () => {
    for (const { ours, path, method } of API_ROUTES) {
      const operation = JSON.parse(text).paths[documentedPath(path)][method];
      expect(operation.description.includes('Ours: not shown in the API description')).toBe(ours !== null);
    }
  });

  it('is compared with every response of the sandbox tests: fields, codes, statuses and headers', async () => {
    const world = createWorld();
    const { id } = await world.intent();
    const good = await world.retrieve(id);
    const path = `/partner/v1/payment_intents/${id}`;
    const problem = (change: object) => undocumented('GET', path, { ...good, ...change });
    const body = typeof good.body === 'object' ? { ...good.body } : {};
    expect(problem({})).toBeNull();
    expect(problem({ body: { ...body, colour: 'red' } })).toContain('colour');
    expect(problem({ body: { ...body, status: 'paid' } })).toContain('status');
    expect(problem({ body: { ...body, amount: undefined } })).toContain('amount');
    expect(problem({ body: { ...body, client_secret: 'lg_cs_1' } })).toContain('client_secret');
    expect(problem({ body: { ...body, items: [{}] } })).toContain('items');
    expect(problem({ status: 409 })).toContain('which openapi.json does not have');
    const missing = await world.retrieve('lg_pi_none');
    const refusal = (error: object, status = 404) =>
      undocumented('GET', path, {
        ...missing,
        status,
        body: {
          error: {
            type: 'invalid_request_error',
            code: 'payment_intent_not_found',
            message: 'No.',
            ...error,
          },
        },
      });
    expect(refusal({})).toBeNull();
    expect(refusal({ code: 'refund_not_found' })).toContain('code');
    expect(refusal({ type: 'error' })).toContain('type');
    expect(refusal({ colour: 'red' })).toContain('colour');
    expect(refusal({ code: 'rate_limited', type: 'rate_limit_error' }, 429)).toContain('without Retry-After');
    expect(undocumented('GET', '/partner/v1/nothing', { ...good, status: 404 })).toBeNull();
  });
});
