'use client';

import type { CardFormInstance } from '@partner/card-form';
import { CardForm, type CardFormProps } from '@partner/card-form/react';
import Link from 'next/link';
import { useRef, useState } from 'react';

export const Checkout = ({ order, payment }: { order: string; payment: CardFormProps }) => {
  const form = useRef<CardFormInstance>(null);
  const [note, setNote] = useState('');
  const [isPaid, setPaid] = useState(false);

  const wrap = async () => {
    await fetch(`/api/wrap?order=${order}`, { method: 'POST' });
    form.current?.refresh();
  };

  if (isPaid) return <h1>Thank you!</h1>;
  return (
    <>
      <h1>Payment</h1>
      <Link href={`/?order=${order}`}>Back to the cart</Link>
      <button type="button" onClick={wrap}>
        Wrap it
      </button>
      <p>{note}</p>
      <CardForm
        {...payment}
        ref={form}
        locale="en"
        onDecline={() => setNote('Another card, please.')}
        onResult={({ outcome }) => setPaid(outcome === 'succeeded')}
      />
    </>
  );
};
