/** How the form gets its client secret: from the page's options, or by asking the page (`fetchClientSecret`). */
export type ClientSecretSource =
  | { readonly kind: 'given'; readonly value: string }
  | { readonly kind: 'ask' };

/** Reads the field `clientSecret` of `init`. Only there, on the wire, `true` stands for "ask the page". */
export const readClientSecret = (field: string | true): ClientSecretSource =>
  field === true ? { kind: 'ask' } : { kind: 'given', value: field };
