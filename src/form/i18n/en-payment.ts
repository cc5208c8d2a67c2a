/** The English texts that come with the payment code, for a form that doesn't load. */
export const enPayment = {
  'action.try_again': 'Try again',
  'notice.load_failed': 'The payment form could not load.',
  'end.not_sent': 'Nothing was charged from this page.',
} as const;
