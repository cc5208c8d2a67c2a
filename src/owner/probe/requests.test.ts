import { describe, expect, it } from 'vitest';
import { CLIENT_ROUTES } from '../../api/routes.ts';
import { mayLeave } from './requests.ts';

const ORIGIN = 'https://pay.example';

describe('a probe never pays: which requests may leave the browser', () => {
  it.each([
    ['GET', `${ORIGIN}/partner/v1/card-form.js`],
    ['GET', `${ORIGIN}/partner/v1/card-form/frame`],
    ['GET', `${ORIGIN}/partner/v1/card-form/0.1.0-abc/assets/form.js`],
    ['POST', ORIGIN + CLIENT_ROUTES.retrieve],
  ])('%s %s', (method, url) => {
    expect(mayLeave({ method, url }, ORIGIN)).toBe(true);
  });

  it.each([
    ['POST', ORIGIN + CLIENT_ROUTES.confirm],
    ['GET', ORIGIN + CLIENT_ROUTES.confirm],
    ['OPTIONS', ORIGIN + CLIENT_ROUTES.confirm],
    ['PUT', ORIGIN + CLIENT_ROUTES.confirm],
    ['POST', ORIGIN + CLIENT_ROUTES.release],
    ['POST', `${ORIGIN}${CLIENT_ROUTES.retrieve}/../confirm`],
    ['POST', `${ORIGIN}${CLIENT_ROUTES.retrieve}?to=confirm`],
    ['GET', `${ORIGIN}${CLIENT_ROUTES.retrieve}`],
    ['POST', `${ORIGIN}/partner/v1/card-form/frame`],
    ['GET', `${ORIGIN}/partner/v1/card-form/../client/payment_intents/confirm`],
    ['GET', `${ORIGIN}/partner/v1/card-form/%2e%2e/client/payment_intents/confirm`],
    ['GET', `${ORIGIN}/partner/v1/card-form/..%2fclient/payment_intents/confirm`],
    ['GET', `${ORIGIN}/partner/v1/card-form\\..\\client/payment_intents/confirm`],
    ['GET', `${ORIGIN}/partner/v1/card-form.js.map`],
    ['GET', 'https://pay.example.evil.example/partner/v1/card-form.js'],
    ['GET', 'https://user@pay.example/partner/v1/card-form.js'],
    ['GET', 'http://pay.example/partner/v1/card-form.js'],
    ['GET', 'data:text/html,hello'],
    ['GET', 'not a url'],
  ])('never %s %s', (method, url) => {
    expect(mayLeave({ method, url }, ORIGIN)).toBe(false);
  });
});
