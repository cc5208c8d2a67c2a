/**
 * The link between browser and server: a TCP forwarder that all connections of a run share. It counts the bytes on the
 * wire and can be as slow as a phone's link (promises 7.13): latency of the handshake and of every exchange, limited
 * bandwidth each way, and slow start on each connection.
 */
import { connect, createServer, type Socket } from 'node:net';

export type Shape = {
  /** Round-trip time, in ms. */
  roundTrip: number;
  /** Bits per second. */
  down: number;
  up: number;
};

/** 150 ms, 1.6 and 0.75 Mbit/s. */
export const SLOW: Shape = { roundTrip: 150, down: 1_600_000, up: 750_000 };

const SEGMENT = 1460;
/** In segments: the data a server sends before the first acknowledgement (RFC 6928). */
const INITIAL_WINDOW = 10;

/** Calls functions in order, each no sooner than its time. */
const createLine = () => {
  const waiting: { at: number; run: () => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const work = () => {
    timer = undefined;
    while (waiting[0] && waiting[0].at <= performance.now()) waiting.shift()?.run();
    if (waiting[0]) timer = setTimeout(work, Math.max(0, waiting[0].at - performance.now()));
  };
  return {
    add(at: number, run: () => void) {
      waiting.push({ at, run });
      timer ??= setTimeout(work, Math.max(0, at - performance.now()));
    },
    stop: () => clearTimeout(timer),
  };
};

/** Opens a link to a port of this machine; if `shape` is null, it is as fast as the machine. */
export const startLink = async (to: number, shape: Shape | null) => {
  const sockets = new Set<Socket>();
  const counted = { connections: 0, bytesDown: 0, bytesUp: 0 };
  /** The time when each direction will have sent everything queued, in ms. */
  const free = { down: 0, up: 0 };

  const arrival = (way: 'down' | 'up', bytes: number, { roundTrip, ...rate }: Shape): number => {
    free[way] = Math.max(free[way], performance.now()) + (bytes * 8000) / rate[way];
    return free[way] + roundTrip / 2;
  };

  const server = createServer({ noDelay: true, allowHalfOpen: true }, (browser) => {
    const service = connect({ port: to, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    const lines = [createLine(), createLine(), createLine()];
    const [upLine, downLine, acknowledged] = lines;
    const end = () => {
      for (const line of lines) line.stop();
      browser.destroy();
      service.destroy();
      sockets.delete(browser);
      sockets.delete(service);
    };
    for (const socket of [browser, service]) {
      sockets.add(socket);
      socket.on('error', end);
    }
    browser.on('close', end);
    let isUsed = false;
    browser.on('data', (data) => {
      if (!isUsed) counted.connections += 1;
      isUsed = true;
      counted.bytesUp += data.length;
    });
    service.on('data', (data) => {
      counted.bytesDown += data.length;
    });

    if (!shape || !upLine || !downLine || !acknowledged) {
      browser.pipe(service);
      service.pipe(browser);
      return;
    }

    // The kernel has already completed the handshake, so the first bytes wait as long as it would have taken.
    const established = performance.now() + shape.roundTrip;
    let latestUp = 0;
    browser.on('data', (data) => {
      latestUp = Math.max(arrival('up', data.length, shape), established + shape.roundTrip / 2, latestUp);
      upLine.add(latestUp, () => service.write(data));
    });
    browser.on('end', () => upLine.add(latestUp, () => service.end()));

    let window = INITIAL_WINDOW * SEGMENT;
    let onTheWay = 0;
    let latestDown = 0;
    let hasEnded = false;
    const unsent: Buffer[] = [];
    const send = () => {
      for (let next = unsent[0]; next && onTheWay + next.length <= window; next = unsent[0]) {
        const segment = next;
        unsent.shift();
        onTheWay += segment.length;
        latestDown = arrival('down', segment.length, shape);
        downLine.add(latestDown, () => browser.write(segment));
        acknowledged.add(latestDown + shape.roundTrip / 2, () => {
          onTheWay -= segment.length;
          window += segment.length;
          send();
        });
      }
      if (hasEnded && unsent.length === 0) downLine.add(latestDown, () => browser.end());
    };
    service.on('data', (data) => {
      for (let at = 0; at < data.length; at += SEGMENT) unsent.push(data.subarray(at, at + SEGMENT));
      send();
    });
    service.on('end', () => {
      hasEnded = true;
      send();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The link has no port.');

  return {
    port: address.port,
    /** The counts so far; `connections` counts those that carried data. */
    counted: () => ({ ...counted }),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
