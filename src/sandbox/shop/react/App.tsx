import type { CardFormInstance, Result } from '@partner/card-form';
import { CardForm } from '@partner/card-form/react';
import { useRef, useState, useSyncExternalStore } from 'react';
import { isPaid, type Order, placeOrder, wrapOrder } from '../browser/order.ts';

/** With `?keep` in the address, a buyer who comes back to the checkout finds what they typed. */
const keep = new URLSearchParams(location.search).has('keep');

const onRoute = (changed: () => void) => {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
};

export const App = () => {
  const route = useSyncExternalStore(onRoute, () => location.hash);
  const [order, setOrder] = useState<Order>();
  const [locale, setLocale] = useState('en');
  const [theme, setTheme] = useState<'light' | 'dark'>('light');
  const form = useRef<CardFormInstance>(null);

  const checkout = async () => {
    setOrder(order ?? (await placeOrder()));
    location.hash = 'checkout';
  };
  const settle = async ({ outcome }: Result) => {
    if (order && outcome === 'succeeded' && (await isPaid(order))) location.hash = 'thanks';
  };

  if (route === '#thanks') return <h1>Thank you!</h1>;
  if (!order || route !== '#checkout')
    return (
      <>
        <h1>Your cart</h1>
        <button type="button" onClick={checkout}>
          Check out
        </button>
      </>
    );
  return (
    <>
      <h1>Payment</h1>
      <p className="choices">
        <label>
          Language{' '}
          <select value={locale} onChange={(event) => setLocale(event.target.value)}>
            <option value="en">English</option>
            <option value="de">Deutsch</option>
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={theme === 'dark'}
            onChange={(event) => setTheme(event.target.checked ? 'dark' : 'light')}
          />{' '}
          Dark
        </label>
        <button type="button" onClick={() => wrapOrder(order).then(() => form.current?.refresh())}>
          Wrap it
        </button>
        <a href="#cart">Back to the cart</a>
      </p>
      <CardForm
        ref={form}
        baseUrl={order.service}
        publishableKey={order.publishableKey}
        clientSecret={order.clientSecret}
        keep={keep}
        defaultValues={order.defaultValues}
        locale={locale}
        appearance={{ theme }}
        onResult={settle}
      />
    </>
  );
};
