/**
 * The English texts of the prerendered form, bundled with the first response. All other texts (`en.ts`) are loaded
 * beside it.
 */
export const enFirst = {
  'frame.title': 'Secure card form',
  'frame.alone': 'This card form only works inside the checkout page of a store.',
  secure: 'Encrypted and sent only to the payment service',
  sandbox: 'Sandbox',
  'sandbox.hint': 'No real money moves',
  'section.card': 'Card',
  'section.billing': 'Billing details',
  'field.number': 'Card number',
  'field.expiry': 'Expiry date',
  'field.cvc': 'Security code',
  'field.name': 'Name on card',
  'field.email': 'Email',
  'field.country': 'Country or region',
  'field.line1': 'Address',
  'field.line2': 'Address line 2',
  'field.city.city': 'City',
  'field.state.province': 'Province',
  'field.state.state': 'State',
  'field.postal_code.postal': 'Postal code',
  'field.postal_code.zip': 'ZIP code',
  'field.optional': 'optional',
  'number.moves_on': 'When this field is complete, the next one follows by itself.',
  'placeholder.number': '1234 1234 1234 1234',
  'placeholder.expiry': 'MM / YY',
  'placeholder.cvc': 'CVC',
  'cvc.help': 'What is the security code?',
  total: 'Total',
  'notice.loading': 'Loading the payment form…',
} as const;
