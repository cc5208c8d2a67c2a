/** A free port for a server such as nginx, which needs one in its configuration and can't report a random one. */
import { createServer } from 'node:net';

// Below the ephemeral ports, because an outgoing connection could take one of those before the server has it.
const FIRST = 20_000;
const COUNT = 12_000;
// Workers start at different places, and no port is given twice.
let next = (process.pid * 97) % COUNT;

export const freePort = async (): Promise<number> => {
  const port = FIRST + next;
  next = (next + 1) % COUNT;
  return (await isFree(port)) ? port : freePort();
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', (error) =>
      'code' in error && error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
