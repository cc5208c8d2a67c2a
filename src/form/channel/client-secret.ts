/** The one place in the frame that has the client secret. Emptied once nothing will be sent any more, for whoever still has the object. */
export type GivenSecret = { readonly kind: 'given'; value: string };

/** How the form gets its client secret: from the page's options, or by asking the page (`fetchClientSecret`). */
export type ClientSecretSource = GivenSecret | { readonly kind: 'ask' };

/** Reads the field `clientSecret` of `init`. Only there, on the wire, `true` stands for "ask the page". */
export const readClientSecret = (field: string | true): ClientSecretSource =>
  field === true ? { kind: 'ask' } : { kind: 'given', value: field };
