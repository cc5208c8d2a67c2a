/** Replaces a browser object with the part of it that the form uses. */
export const standIn = (object: object) => Object.setPrototypeOf(object, null);
