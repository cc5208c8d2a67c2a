/** The shop's texts in two languages. The payment form has its own. */

const en = {
  shop: 'Morning Coffee Roasters',
  cart_title: 'Your cart',
  item: 'Item',
  each: 'each',
  goods: 'Goods',
  shipping: 'Shipping',
  tax: 'Tax',
  sum: 'Sum of the cart',
  exact: 'The payment form shows the exact total.',
  back: 'Order something else',
  order: 'Order',
  ship_to: 'Ships to',
  payment: 'Payment',
  unavailable: 'The payment service could not be reached. Nothing was charged. Please reload the page.',
  no_script: 'The payment form needs JavaScript.',
  no_form: 'The payment form could not be loaded. Please reload the page.',
  canceled: 'This payment was canceled. Please order again.',
  failed: 'This order cannot be paid in this way. Please order again.',
  unknown:
    'We do not know yet whether the payment went through. Please look at the order before paying again.',
  look: 'Look at the order',
  thanks: 'Thank you!',
  paid: 'Your payment has arrived. We are packing your order.',
  preparing: 'Your payment has been received, your order is being prepared.',
  fulfilled: 'Fulfilled by webhook ',
  processing: 'Your payment is being processed',
  processing_text: 'That can take a moment. You need not pay again.',
  not_paid: 'Not paid yet',
  not_paid_text: 'The payment service says this payment is: ',
  reload: 'Check again',
  pay: 'Back to payment',
  lost: 'There is no such order',
};

export type TextKey = keyof typeof en;

const de: Record<TextKey, string> = {
  shop: 'Morning Coffee Roasters',
  cart_title: 'Ihr Warenkorb',
  item: 'Artikel',
  each: 'je',
  goods: 'Waren',
  shipping: 'Versand',
  tax: 'Steuer',
  sum: 'Summe des Warenkorbs',
  exact: 'Den genauen Gesamtbetrag zeigt das Zahlungsformular.',
  back: 'Etwas anderes bestellen',
  order: 'Bestellung',
  ship_to: 'Lieferung an',
  payment: 'Zahlung',
  unavailable:
    'Der Zahlungsdienst ist nicht erreichbar. Es wurde nichts abgebucht. Bitte laden Sie die Seite neu.',
  no_script: 'Das Zahlungsformular braucht JavaScript.',
  no_form: 'Das Zahlungsformular konnte nicht geladen werden. Bitte laden Sie die Seite neu.',
  canceled: 'Diese Zahlung wurde abgebrochen. Bitte bestellen Sie noch einmal.',
  failed: 'Diese Bestellung kann so nicht bezahlt werden. Bitte bestellen Sie noch einmal.',
  unknown:
    'Wir wissen noch nicht, ob die Zahlung gelungen ist. Bitte sehen Sie nach der Bestellung, bevor Sie noch einmal zahlen.',
  look: 'Bestellung ansehen',
  thanks: 'Vielen Dank!',
  paid: 'Ihre Zahlung ist angekommen. Wir packen Ihre Bestellung.',
  preparing: 'Ihre Zahlung ist eingegangen, Ihre Bestellung wird vorbereitet.',
  fulfilled: 'Erfüllt durch Webhook ',
  processing: 'Ihre Zahlung wird verarbeitet',
  processing_text: 'Das kann einen Augenblick dauern. Sie müssen nicht noch einmal zahlen.',
  not_paid: 'Noch nicht bezahlt',
  not_paid_text: 'Der Zahlungsdienst nennt diese Zahlung: ',
  reload: 'Noch einmal nachsehen',
  pay: 'Zurück zur Zahlung',
  lost: 'Diese Bestellung gibt es nicht',
};

/** Returns the texts for a language tag, or the English ones if the shop lacks that language. */
export const textsFor = (locale: string): Readonly<Record<TextKey, string>> =>
  /^de\b/i.test(locale) ? de : en;
