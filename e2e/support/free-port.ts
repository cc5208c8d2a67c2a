/** A port for a server that is told its port, as nginx is, and cannot report the one that the system chose. */
import { createServer } from 'node:net';

// Below the ports that a system gives to outgoing connections: one of those could take the port before its server has it.
const FIRST = 20_000;
const COUNT = 12_000;
// Workers begin at different places, and no port is given twice.
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
