import { lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIPv6, type LookupFunction } from 'node:net';
import { isLoopbackHost } from '../../../api/loopback.ts';
import { isLoopbackAddress } from '../core/loopback.ts';

/** A webhook request. */
export type OutgoingRequest = { url: string; headers: Readonly<Record<string, string>>; body: string };

/**
 * Posts a webhook. Resolves with the status once the response is complete, and optionally with the response's text.
 * Rejects if there is no complete response. The delivery history shows the error's `code` (such as `ECONNREFUSED`), not
 * its message. Follows no redirects. Ends when the signal aborts.
 */
export type Outgoing = (
  request: OutgoingRequest,
  signal: AbortSignal,
) => Promise<{ status: number; body?: string }>;

/** In bytes. A longer response body is cut off here. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Non-public addresses (RFC 6890), and IPv6 addresses that embed an IPv4 address. Public IPv6 addresses are in
 * 2000::/3.
 */
const NOT_PUBLIC = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv4');
NOT_PUBLIC.addSubnet('2001::', 32, 'ipv6');
NOT_PUBLIC.addSubnet('2002::', 16, 'ipv6');
const GLOBAL_IPV6 = new BlockList();
GLOBAL_IPV6.addSubnet('2000::', 3, 'ipv6');

/** Returns true if an address is on the public internet. */
export const isPublicAddress = (address: string): boolean =>
  isIPv6(address)
    ? GLOBAL_IPV6.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6')
    : !NOT_PUBLIC.check(address);

/** Returns a check of the addresses that a webhook's host may have (contract 6.8). */
const mayBeAt = (host: string, hosts: readonly string[]): ((address: string) => boolean) => {
  if (hosts.includes(host)) return () => true;
  return isLoopbackHost(host) ? isLoopbackAddress : isPublicAddress;
};

type Resolve = (
  name: string,
  options: { hints: number; all: true },
  found: (error: Error | null, addresses?: readonly { address: string; family: number }[]) => void,
) => void;

/**
 * Resolves a name to those of its addresses that a webhook may go to. Runs as part of connecting: anybody can point a
 * name at an address in a private network, and can change it after an earlier check.
 */
const lookupAllowed =
  (resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction =>
  (name, options, found) =>
    resolve(name, { hints: options.hints ?? 0, all: true }, (error, addresses = []) => {
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (error !== null) found(error, '');
      else if (first === undefined)
        found(Object.assign(new Error('no address is allowed'), { code: 'ADDRESS_NOT_PUBLIC' }), '');
      else if (options.all) found(null, allowed);
      else found(null, first.address, first.family);
    });

/**
 * Sends over a real socket, a new one for each webhook. Doesn't use `fetch`, which adds headers such as
 * `sec-fetch-mode` and may reuse a dead connection, which would look like a failure of the merchant's server.
 */
export const postThrough =
  (resolveName: Resolve, hosts: readonly string[]): Outgoing =>
  ({ url, headers, body }, signal) =>
    new Promise((resolve, reject) => {
      const target = new URL(url);
      const send = target.protocol === 'http:' ? requestHttp : requestHttps;
      const length = String(Buffer.byteLength(body));
      const request = send(
        target,
        {
          method: 'POST',
          agent: false,
          signal,
          lookup: lookupAllowed(resolveName, mayBeAt(target.hostname, hosts)),
          headers: { ...headers, 'Content-Length': length },
        },
        (response) => {
          const status = response.statusCode ?? 0;
          const chunks: Buffer[] = [];
          let read = 0;
          const end = () => resolve({ status, body: Buffer.concat(chunks).toString('utf8') });
          response.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            read += chunk.length;
            if (read <= MAX_RESPONSE_BYTES) return;
            end();
            response.destroy();
          });
          response.once('end', end);
          response.once('error', reject);
        },
      );
      request.once('error', reject);
      request.end(body);
    });

/** Uses the system's name resolution. `hosts` may have any address. */
export const postOverHttp = (hosts: readonly string[] = []): Outgoing => postThrough(lookup, hosts);
