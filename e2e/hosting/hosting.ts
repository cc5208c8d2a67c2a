/**
 * The built files as a service hosts them: a real nginx over TLS, set up as docs/hosting.md says, with the configuration the
 * build wrote, in front of a sandbox that answers everything else. A second address stands for a shop with TLS of its own.
 */
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { block } from '../developer/docs.ts';
import { createCertificate } from './certificate.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

/** What the build says of itself. */
export const readManifest = async (): Promise<{
  release: string;
  files: Record<string, string>;
  rules: readonly { address: string; headers: Record<string, string> }[];
}> => ({
  ...JSON.parse(await readFile(join(DIST, 'sri.json'), 'utf8')),
  ...JSON.parse(await readFile(join(DIST, 'headers.json'), 'utf8')),
});

export type Hosting = {
  /** The service, as browsers know it. */
  url: string;
  /** The shop, on another site than the service. */
  shop: string;
  /** The folder of its own in which the hosted files lie. */
  root: string;
  /** A file with the certificate, for who asks without a browser. */
  authority: string;
  stop(): Promise<void>;
};

/** A port that nothing listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/**
 * Starts `nginx` in front of the service and the shop at these addresses. `change` may spoil the hosted files
 * or the configuration, by path below its folder, before it starts.
 */
export const startHosting = async (
  nginx: string,
  { service, shop }: { service: string; shop: string },
  change: (root: string) => Promise<void> = async () => undefined,
): Promise<Hosting> => {
  const root = await mkdtemp(join(tmpdir(), 'card-form-nginx-'));
  await cp(join(DIST, 'partner'), join(root, 'partner'), { recursive: true });
  await cp(join(DIST, 'nginx'), join(root, 'nginx'), { recursive: true });
  for (const name of ['llms.txt', 'llms.txt.br']) await cp(join(DIST, name), join(root, name));
  await mkdir(join(root, 'temporary'));
  const { key, certificate } = createCertificate();
  await writeFile(join(root, 'key.pem'), key);
  await writeFile(join(root, 'certificate.pem'), certificate);
  const [port, shopPort] = [await freePort(), await freePort()];
  const url = `https://127.0.0.1:${port}`;
  const tls = `ssl_certificate ${root}/certificate.pem; ssl_certificate_key ${root}/key.pem;`;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${root}/temporary/${name};`)
    .join(' ');
  await writeFile(
    join(root, 'nginx.conf'),
    `daemon off; master_process off; pid ${root}/nginx.pid; error_log stderr warn;
events { }
http {
  access_log off; ${temporary}
  ${block('hosting: With nginx: nginx')
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl; ${tls}`)
    .replace('server_name pay.example;', 'server_name 127.0.0.1;')
    .replaceAll('/srv/card-form', root)
    .replace('https://pay.example', url)
    .replace('http://your-service', service)}
  server {
    listen 127.0.0.1:${shopPort} ssl; server_name localhost; ${tls}
    location / { proxy_pass ${shop}; }
  }
}
`,
  );
  await change(root);

  const process = spawn(nginx, ['-p', root, '-e', 'stderr', '-c', join(root, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  process.stderr.on('data', (text) => {
    said += text;
  });
  const ended = new Promise<void>((resolve) => {
    process.once('exit', () => resolve());
  });
  const stop = async () => {
    process.kill('SIGTERM');
    await ended;
    await rm(root, { recursive: true });
  };
  while (!(await readdir(root)).includes('nginx.pid')) {
    if (process.exitCode !== null) throw new Error(`nginx did not start: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { url, shop: `https://localhost:${shopPort}`, root, authority: join(root, 'certificate.pem'), stop };
};
