/** A certificate for localhost, created for each test so that no key is stored. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** One value in DER: its type, its length, its content. */
const der = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'));
const NAME = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('localhost')))));
const DAY = 86_400_000;

/** Self-signed, for `localhost` and 127.0.0.1, valid one day before and after now. Both as PEM. */
export const createCertificate = (): { key: string; certificate: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  const isAuthority = sequence(der(0x01, Buffer.from([0xff])));
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([0x01]), randomBytes(8)),
    ECDSA_SHA256,
    NAME,
    sequence(time(new Date(Date.now() - DAY)), time(new Date(Date.now() + DAY))),
    NAME,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(sequence(oid('551d11'), der(0x04, names)), sequence(oid('551d13'), der(0x04, isAuthority))),
    ),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey));
  const base64 =
    sequence(signed, ECDSA_SHA256, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${base64.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
};
