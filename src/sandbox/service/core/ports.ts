/** The default ports of the sandbox and the demo shop. */
export const SERVICE_PORT = 4010;
export const SHOP_PORT = 4011;

/** The address of a sandbox on this machine. */
export const SANDBOX_URL = `http://127.0.0.1:${SERVICE_PORT}`;
