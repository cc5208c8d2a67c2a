import type { CardFormInstance } from '@partner/card-form';
import { CardForm, type CardFormProps } from '@partner/card-form/react';
import { StrictMode, useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

const order = new URLSearchParams(location.search).get('order');

const Checkout = ({ leave, paid }: { leave: () => void; paid: () => void }) => {
  const form = useRef<CardFormInstance>(null);
  const [payment, setPayment] = useState<CardFormProps>();
  const [note, setNote] = useState('');

  useEffect(() => {
    fetch(`/api/payment?order=${order}`)
      .then((response) => response.json())
      .then(setPayment);
  }, []);

  const wrap = async () => {
    await fetch(`/api/wrap?order=${order}`, { method: 'POST' });
    form.current?.refresh();
  };

  return (
    <>
      <h1>Payment</h1>
      <button type="button" onClick={leave}>
        Back to the cart
      </button>
      <button type="button" onClick={wrap}>
        Wrap it
      </button>
      <p>{note}</p>
      {payment && (
        <CardForm
          {...payment}
          ref={form}
          locale="en"
          onDecline={() => setNote('Another card, please.')}
          onResult={({ outcome }) => outcome === 'succeeded' && paid()}
        />
      )}
    </>
  );
};

const App = () => {
  const [route, setRoute] = useState<'cart' | 'checkout' | 'thanks'>('cart');
  if (route === 'thanks') return <h1>Thank you!</h1>;
  if (route === 'checkout')
    return <Checkout leave={() => setRoute('cart')} paid={() => setRoute('thanks')} />;
  return (
    <>
      <h1>Your cart</h1>
      <button type="button" onClick={() => setRoute('checkout')}>
        Check out
      </button>
    </>
  );
};

const app = document.getElementById('app');
if (app)
  createRoot(app).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
