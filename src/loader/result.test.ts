import { describe, expectTypeOf, it } from 'vitest';
import type * as channel from '../channel/messages.ts';
import type { CardFormError, ClientPaymentIntent, Result } from './result.ts';

describe('the types a merchant reads', () => {
  it('are those of the channel, to the letter: `tsc` fails otherwise', () => {
    expectTypeOf<CardFormError>().toEqualTypeOf<channel.CardFormError>();
    expectTypeOf<ClientPaymentIntent>().toEqualTypeOf<channel.ClientPaymentIntent>();
    expectTypeOf<Result>().toEqualTypeOf<channel.Result>();
  });
});
