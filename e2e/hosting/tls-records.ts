/** The TLS records of a response. A browser can't read a record before all of it has arrived. */
import { connect as connectTcp } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

/** RFC 8446, 5.1: one byte of type, two of version and two of length precede the content of each record. */
const HEADER = 5;
const APPLICATION_DATA = 23;

/** The lengths in bytes of the application data records in a whole number of records. */
const recordsIn = (bytes: Buffer): number[] => {
  const lengths: number[] = [];
  for (let at = 0; at + HEADER <= bytes.length; at += HEADER + bytes.readUInt16BE(at + 3)) {
    if (bytes[at] === APPLICATION_DATA) lengths.push(bytes.readUInt16BE(at + 3));
  }
  return lengths;
};

/** The lengths in bytes of the records in which a server answers a GET for `path` in brotli. */
export const recordsOf = (url: string, path: string, authority: Buffer): Promise<number[]> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const wire = connectTcp(Number(port), hostname);
    const arrived: Buffer[] = [];
    const stream = new Duplex({
      read() {},
      write: (chunk, _, done) => void wire.write(chunk, () => done()),
      final: (done) => void wire.end(done),
    });
    wire.on('data', (chunk) => {
      arrived.push(chunk);
      stream.push(chunk);
    });
    wire.on('end', () => stream.push(null));
    wire.on('error', reject);
    const tls = connectTls({ socket: stream, ca: authority, ALPNProtocols: ['http/1.1'] });
    tls.on('error', reject);
    tls.on('end', () => resolve(recordsIn(Buffer.concat(arrived))));
    tls.resume();
    tls.write(
      `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAccept-Encoding: br\r\nConnection: close\r\n\r\n`,
    );
  });
