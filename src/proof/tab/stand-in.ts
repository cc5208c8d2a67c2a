/** An object in place of one of the browser's: as much of it as the form uses. */
export const standIn = (object: object) => Object.setPrototypeOf(object, null);
