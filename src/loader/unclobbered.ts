/**
 * Protection from DOM clobbering. Anyone who can put harmless-looking markup into a page can name elements so that they
 * hide what scripts read: `<img name=currentScript>` hides `document.currentScript`, and in a form
 * `<input name=append>` hides `form.append`. Only documents and forms have such names.
 */

/** The same object as its class defines it, whatever elements are named. Methods can be called as usual. */
export const unclobbered = <Thing extends object>(thing: Thing): Thing =>
  new Proxy(thing, {
    get(_, name) {
      const value = Reflect.get(Object.getPrototypeOf(thing), name, thing);
      return typeof value === 'function' ? value.bind(thing) : value;
    },
  });
