import { enFirst } from './en-first.ts';

/**
 * The texts of the form in English. Its keys are the type of every other catalog, so a missing translation does not
 * compile.
 *
 * Texts are plain and calm and say what to do. A `{name}` in braces is a placeholder for a value; a translation must use
 * the same placeholders. Problems have the key `<field>.<problem>`: `empty` and `incomplete` are states of a check, the
 * others its problems.
 */
export const en = {
  ...enFirst,
  'field.city.district': 'District',
  'field.city.post_town': 'Town or city',
  'field.city.suburb': 'Suburb',
  'field.state.area': 'Area',
  'field.state.county': 'County',
  'field.state.department': 'Department',
  'field.state.district': 'District',
  'field.state.do_si': 'Province or city',
  'field.state.emirate': 'Emirate',
  'field.state.island': 'Island',
  'field.state.oblast': 'Oblast',
  'field.state.parish': 'Parish',
  'field.state.prefecture': 'Prefecture',
  'field.state.region': 'Region',
  'field.postal_code.postcode': 'Postcode',
  'field.postal_code.pin': 'PIN code',
  'field.postal_code.eircode': 'Eircode',
  'field.postal_code.cep': 'CEP',
  'field.refused': 'This was not accepted. Please check it.',
  'field.problem': '{label}: {problem}',

  'cvc.help.back': 'The 3 digits on the back of your card',
  'cvc.help.front': 'The 4 digits on the front of your card',

  'number.empty': 'Enter your card number.',
  'number.incomplete': 'This card number is too short. Enter all of its digits.',
  'number.luhn': 'This card number has a mistake. Compare it with your card.',
  'number.length': 'This card number has too many digits. Compare it with your card.',
  'number.unknown_brand': 'This does not look like a card number. Compare it with your card.',
  'number.not_accepted': 'This store does not take {brand}. Please use another card.',
  'expiry.empty': 'Enter the expiry date on your card.',
  'expiry.incomplete': 'Enter the month and the year, like 05 / 30.',
  'expiry.month': 'The month must be between 01 and 12.',
  'expiry.past': 'This card has expired. Check the date or use another card.',
  'expiry.far_future': 'This date is too far away. Check the year on your card.',
  'cvc.empty': 'Enter the security code.',
  'cvc.incomplete': 'The security code is too short. Enter all of its digits.',
  'cvc.length': 'The security code has too many digits.',
  'name.empty': 'Enter the name on your card.',
  'email.empty': 'Enter your email address.',
  'email.incomplete': 'Enter the whole email address, like name@example.com.',
  'email.format': 'Check the email address. It should look like name@example.com.',
  'country.empty': 'Choose a country or region.',
  'line1.empty': 'Enter your address.',
  'city.empty': 'Fill in this field.',
  'state.empty': 'Fill in this field.',
  'postal_code.empty': 'Enter your postal code.',
  'postal_code.empty.postcode': 'Enter your postcode.',
  'postal_code.empty.zip': 'Enter your ZIP code.',
  'postal_code.empty.pin': 'Enter your PIN code.',
  'postal_code.empty.eircode': 'Enter your Eircode.',
  'postal_code.empty.cep': 'Enter your CEP.',
  'postal_code.pattern': 'Check this code. For this country it looks like {example}.',
  'postal_code.unusual':
    'Is this right? For this country it usually looks like {example}. If it is right, press Pay again.',
  'text.too_long': 'This is too long. Please shorten it to {max} characters.',

  pay: 'Pay {amount}',
  'pay.busy': 'Paying…',
  'action.try_again': 'Try again',
  'action.check_status': 'Check status',

  details: 'Details',
  'summary.amount': 'Amount',
  'summary.shipping': 'Shipping',
  'summary.tax': 'Tax',
  'summary.discount': 'Discount',
  'summary.adjustment': 'Adjustment',
  'summary.fee': 'Processing fee',
  'summary.quantity': '{quantity} × {price}',

  'notice.load_failed': 'The payment form could not load.',
  'notice.asking_store': 'The store is checking your order. One moment, please.',
  'notice.order_refused': 'The store could not accept this order. Nothing was charged.',
  'notice.store_silent': 'The store did not answer, so nothing was charged. Please press Pay again.',
  'notice.confirming': 'Confirming your payment. Please keep this page open.',
  'notice.still_confirming': 'Still confirming with your bank. You will not be charged twice for this order.',
  'notice.yielding': 'Another window is paying this order. One moment, please.',
  'notice.press_again': 'Please check the total, then press Pay again.',
  'notice.too_small': 'This form has too little room to pay in. Make the window larger.',
  'notice.interrupted':
    'The page took the keyboard away while you were typing. Enter your card only in this form, and check its fields.',
  'notice.not_sent':
    'Another window was paying this order, so nothing was sent from here. Press Pay if you still want to.',
  'notice.started_over':
    'The last try has ended and nothing was charged. You can pay again: enter your card once more.',
  'notice.processing': 'Your payment is being processed. Please keep this page open.',
  'notice.unknown':
    'We could not confirm the result. Please do not pay again. Check the status, or contact the store.',
  'notice.total_changed': 'The total changed from {previous} to {current}. Review it and press Pay again.',
  'notice.throttled': 'Too many tries. You can try again in {time}.',
  'notice.canceled': 'This payment was canceled and can no longer be paid.',
  'notice.exhausted': 'All tries are used up. This payment can no longer be paid.',
  'notice.unavailable': 'The store cannot take this payment right now.',
  'notice.offline': 'You are offline. You can pay once you are connected again.',
  'notice.not_charged':
    'We could not reach the payment service and no payment was recorded. You can try again; this order cannot be charged twice.',
  'notice.details_refused': 'Some details were not accepted. Please check them and press Pay again.',
  'notice.check_again': 'Nothing was charged. Review the total and press Pay again.',

  'notice.succeeded': 'Payment received',
  'success.detail': '{amount} paid',

  'decline.generic': 'Your card was declined. Check the details or use another card.',
  'decline.insufficient_funds': 'The balance or limit of this card is not enough. Use another card.',
  'decline.expired_card': 'This card has expired. Check the expiry date or use another card.',
  'decline.incorrect_cvc': 'The security code was not right. Check it and try again.',
  'decline.incorrect_number': 'The card number was not right. Check it and try again.',
  'decline.processing': 'Your bank could not answer just now. Try again in a moment or use another card.',
  'decline.authentication': 'Your bank could not confirm that it was you. Try again or use another card.',
  'decline.incorrect_expiry': 'The expiry date was not right. Check it and try again.',
  'decline.incorrect_address': 'The billing address does not match this card. Check it or use another card.',
  'decline.not_supported': 'This card cannot be used for this payment. Use another card.',
  'decline.duplicate':
    'Your bank declined this as a repeat of a recent payment. Check your latest payments before you try again.',
} as const;

/** The name of a sentence or word the form can show. */
export type MessageKey = keyof typeof en;

/** Every word of the form in one language. */
export type Catalog = Readonly<Record<MessageKey, string>>;
