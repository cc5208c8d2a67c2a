/** Host names of this machine. */

/** Returns true if a `Host` always means this machine. Any other name may be a DNS rebinding attack. */
export const isLoopbackHost = (host: string): boolean => {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(name)
  );
};
