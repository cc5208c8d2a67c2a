/**
 * Caches between the server of a release and browsers. After a move they are told to forget the moving addresses, and then
 * have to answer what was built. The release stays live if they do not: they follow when their copies are five minutes old.
 */
import type { HttpGet } from '../hosting/http-get.ts';
import { LLMS_TXT } from '../hosting/llms-address.ts';
import { describeDifference } from '../hosting/served.ts';
import { ReleaseError } from './release-error.ts';
import type { Hosted } from './site.ts';
import { expectedFiles, verifyHosted } from './verify.ts';

/** What a purge is made of: a command, or the address of a CDN's own service. `{url}` and `{path}` name what to forget. */
export type PurgeCall = { kind: 'command'; command: string } | { kind: 'post'; url: string };

/** The calls that purge these addresses: one for each, or one for all if the template names none. */
export const purgeCalls = (
  template: string,
  origin: string,
  addresses: readonly string[],
): readonly PurgeCall[] => {
  const isUrl = /^https?:\/\//.test(template);
  const filled = (address: string): string =>
    template
      .replaceAll('{url}', isUrl ? encodeURIComponent(origin + address) : origin + address)
      .replaceAll('{path}', address);
  const texts = /\{(url|path)\}/.test(template) ? addresses.map(filled) : [template];
  return texts.map((text) => (isUrl ? { kind: 'post', url: text } : { kind: 'command', command: text }));
};

/** The addresses that move with a release. */
export const movingAddresses = (hosted: Hosted): readonly string[] => [
  ...expectedFiles(hosted, 'moving').map(([address]) => address),
  LLMS_TXT,
];

/** Throws a `ReleaseError` unless the caches answer the moving release at the moving addresses. */
export const verifyEdges = async (
  origin: string,
  hosted: Hosted,
  get: HttpGet,
  wait: (ms: number) => Promise<unknown>,
): Promise<void> => {
  const differences = await verifyHosted(origin, hosted, 'moving', get, wait);
  const [first] = differences;
  if (first === undefined) return;
  throw new ReleaseError(
    `${hosted.release} is the moving release on every origin, but ${origin} still answers something else: ${describeDifference(first)}${differences.length === 1 ? '' : ` and ${differences.length - 1} more`}. Its caches follow within five minutes; purge them, or see which: card-form verify --edges.`,
  );
};
