/** The frame's only copy of the client secret. Emptied once nothing more will be sent, for all who hold the object. */
export type GivenSecret = { readonly kind: 'given'; value: string };

/** The source of the client secret: the page's options, or a question to the page (`fetchClientSecret`). */
export type ClientSecretSource = GivenSecret | { readonly kind: 'ask' };

/** Reads the field `clientSecret` of `init`. Only there, on the wire, `true` means "ask the page". */
export const readClientSecret = (field: string | true): ClientSecretSource =>
  field === true ? { kind: 'ask' } : { kind: 'given', value: field };
