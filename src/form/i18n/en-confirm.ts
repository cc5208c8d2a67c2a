/** The English texts needed after a press, and rare ones. */
export const enConfirm = {
  'cvc.help.back': 'The 3 digits on the back of your card',
  'cvc.help.front': 'The 4 digits on the front of your card',
  'action.check_status': 'Check status',
  'notice.asking_store': 'The store is checking your order. One moment, please.',
  'notice.order_refused': 'The store could not accept this order. Nothing was charged.',
  'notice.store_silent': 'The store did not answer, so nothing was charged. Please press the button again.',
  'notice.still_confirming': 'Still confirming with your bank. You will not be charged twice for this order.',
  'notice.still_confirming.10':
    'Still confirming with your bank. This can take a minute. You will not be charged twice for this order.',
  'notice.still_confirming.30':
    'Your bank is slower than usual. Please keep this page open; you will not be charged twice.',
  'notice.still_confirming.60':
    'Your bank has not answered yet. We keep asking, so please do not pay for this order again.',
  'notice.processing.title': 'Processing {amount}',
  'notice.yielding': 'Another window is paying this order. One moment, please.',
  'notice.not_sent':
    'Another window was paying this order, so nothing was sent from here. Press the button if you still want to pay.',
  'notice.started_over':
    'The last try has ended and nothing was charged. You can pay again: enter your card once more.',
  'notice.processing': 'Please keep this page open.',
  'notice.unknown':
    'We could not confirm whether you were charged. Please do not pay again. Check the status, or contact the store.',
  'notice.total_changed':
    'The total changed from {previous} to {current}. Review it and press the button again.',
  'notice.throttled': 'You can try again in {time}.',
  'notice.throttle_over': 'You can try again now.',
  'notice.canceled': 'This payment was canceled and can no longer be paid.',
  'notice.declined': 'Your card was declined.',
  'notice.exhausted': 'All tries are used up. This payment can no longer be paid.',
  'end.not_charged': 'Nothing was charged.',
  'end.maybe_charged': 'You may have been charged. Please ask the store before you pay again.',
  'notice.unavailable': 'The store cannot take this payment right now.',
  'notice.not_charged':
    'We could not reach the payment service and no payment was recorded. You can try again; this order cannot be charged twice.',
  'notice.details_refused': 'Some details were not accepted. Please check them and press the button again.',
  'notice.check_again': 'Nothing was charged. Review the total and press the button again.',
  'notice.succeeded': 'Payment received',
  'success.detail': '{amount} paid',
  'receipt.order': 'Order',
  'receipt.date': 'Date',
  'receipt.reference': 'Reference',
  'receipt.print': 'Print or save',
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
