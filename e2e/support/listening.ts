import type { Server } from 'node:http';

/** Makes a Node server listen on a port chosen by the system. */
export const listening = async (
  server: Pick<Server, 'listen' | 'address' | 'close' | 'closeAllConnections'>,
  host: 'localhost' | '127.0.0.1' = 'localhost',
) => {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return {
    url: `http://${host}:${address.port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
