import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { SigningKey } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** The number of listed keys: during a rotation, the old and the new one. */
const LISTED_KEYS = 2;

/** The PKCS #8 header of an Ed25519 private key; the 32 bytes of the key follow (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Creates a random key, or one derived from a seed. */
const createSigningKey = (seed: string | undefined): SigningKey => {
  const privateKey =
    seed === undefined
      ? generateKeyPairSync('ed25519').privateKey
      : createPrivateKey({
          key: Buffer.concat([PKCS8_ED25519, createHash('sha256').update(seed).digest()]),
          format: 'der',
          type: 'pkcs8',
        });
  const publicKey = createPublicKey(privateKey);
  const fingerprint = createHash('sha256').update(publicKey.export({ type: 'spki', format: 'der' }));
  return {
    kid: `wsk_${fingerprint.digest('hex').slice(0, 24)}`,
    public_key_pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    private_key_pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};

/** Creates a new key that signs from now on. The previous key stays listed, older ones do not. */
export const rotateSigningKey = (store: Store, seed: number | undefined): SigningKey => {
  store.signingKeysMade += 1;
  const key = createSigningKey(seed === undefined ? undefined : `${seed}/${store.signingKeysMade}`);
  store.signingKeys = [...store.signingKeys, key].slice(-LISTED_KEYS);
  return key;
};

/** The public keys, newest first (contract 5.5). */
export const signingKeyList = (store: Store) => ({
  object: 'list' as const,
  data: [...store.signingKeys].reverse().map(({ kid, public_key_pem }) => ({ kid, public_key_pem })),
  has_more: false,
});

/**
 * The `Service-Signature` header for a body sent to an endpoint at `t` (unix seconds). Ours: the API description does
 * not show the algorithm and the signed bytes (contract 5.6).
 */
export const signatureHeader = (store: Store, endpoint: string, body: string, t: number): string => {
  const key = store.signingKeys.at(-1);
  if (key === undefined) throw new Error('the service has no signing key');
  const v1 = sign(null, Buffer.from(`${t}.${endpoint}.${body}`), key.private_key_pem).toString('base64');
  return `t=${t},kid=${key.kid},v1=${v1}`;
};
