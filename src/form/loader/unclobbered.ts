/**
 * Protection from DOM clobbering. Anyone who can inject markup, even sanitised, can name elements so that they hide
 * properties that scripts read: `<img name=currentScript>` hides `document.currentScript`, and in a form
 * `<input name=append>` hides `form.append`. Only documents and forms are affected.
 */

/**
 * A view of an object with the properties of its class, whatever names elements have. Methods can be called as usual.
 */
export const unclobbered = <Thing extends object>(thing: Thing): Thing =>
  new Proxy(thing, {
    get(_, name) {
      const value = Reflect.get(Object.getPrototypeOf(thing), name, thing);
      return typeof value === 'function' ? value.bind(thing) : value;
    },
  });
