import { describe, expectTypeOf, it } from 'vitest';
import type * as channel from '../channel/messages.ts';
import type { CardFormError, ClientPaymentIntent, Result } from './result.ts';

describe('the types a merchant reads', () => {
  it('equal the schemas of the channel, or `tsc` fails', () => {
    expectTypeOf<CardFormError>().toEqualTypeOf<channel.CardFormError>();
    expectTypeOf<ClientPaymentIntent>().toEqualTypeOf<channel.ClientPaymentIntent>();
    expectTypeOf<Result>().toEqualTypeOf<channel.Result>();
  });
});
