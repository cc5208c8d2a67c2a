import { describe, expect, expectTypeOf, it } from 'vitest';
import type * as api from '../../../api/requests.ts';
import type * as schemas from '../../../api/schemas.ts';
import type * as written from '../../../merchant/server/api-types.ts';
import { ROOT } from '../../../proof/architecture/imports.ts';
import { typeScript } from './typescript.ts';

describe('the types of @partner/card-form/server', () => {
  it('are written from openapi.json; `npm run api` writes them again', async () => {
    await expect(typeScript()).toMatchFileSnapshot(`${ROOT}src/merchant/server/api-types.ts`);
  });

  it('fit the schemas: what the service sends can be read as them, and what they allow is accepted', () => {
    type Sent<Value> = Value extends readonly (infer Item)[]
      ? readonly Sent<Item>[]
      : Value extends object
        ? { readonly [Key in keyof Value]: Sent<Value[Key]> }
        : Value;
    expectTypeOf<written.PaymentIntent>().toExtend<Sent<schemas.PaymentIntent>>();
    expectTypeOf<written.Refund>().toExtend<schemas.Refund>();
    expectTypeOf<written.FeeQuote>().toExtend<schemas.FeeQuote>();
    expectTypeOf<schemas.FeeQuote>().toExtend<written.FeeQuote>();
    expectTypeOf<schemas.Balance>().toExtend<written.Balance>();
    expectTypeOf<schemas.WebhookSigningKey>().toExtend<written.WebhookSigningKey>();
    expectTypeOf<api.CreatePaymentIntent>().toExtend<written.CreatePaymentIntent>();
    expectTypeOf<api.UpdatePaymentIntent>().toExtend<written.UpdatePaymentIntent>();
    expectTypeOf<api.CreateRefund>().toExtend<written.CreateRefund>();
    expectTypeOf<api.CreateFeeQuote>().toExtend<written.CreateFeeQuote>();
  });
});
