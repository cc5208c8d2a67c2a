/**
 * The built files as a service hosts them: a real nginx or Caddy over TLS, set up as in docs/hosting.md, with the
 * configuration that the build wrote, in front of a sandbox that answers everything else. A second address is a shop
 * with its own TLS.
 */
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { block } from '../developer/docs.ts';
import { freePort } from '../support/free-port.ts';
import { createCertificate } from './certificate.ts';
import { findServer, type ServerName } from './find-servers.mjs';

/** The build's manifest. */
export const readManifest = async (): Promise<{
  release: string;
  files: Record<string, string>;
  codings: readonly string[];
  languages: readonly string[];
  rules: readonly { address: string; headers: Record<string, string> }[];
}> => ({
  ...JSON.parse(await readFile(join(DIST, 'sri.json'), 'utf8')),
  ...JSON.parse(await readFile(join(DIST, 'headers.json'), 'utf8')),
});

export type Hosting = {
  name: ServerName;
  /** The service's URL for browsers. */
  url: string;
  /** The shop, on a different site from the service. */
  shop: string;
  /** The separate folder with the hosted files. */
  root: string;
  /** A file with the certificate, for programs that make requests without a browser. */
  authority: string;
  /** Commands that check the server's configuration and make it load it. */
  check: string;
  reload: string;
  stop(): Promise<void>;
};

/** The build that the tests use. */
export const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

/** A web server and its program; null if it is not installed. */
export type WebServer = { name: ServerName; program: string | null };

export const NGINX: WebServer = { name: 'nginx', program: findServer('nginx') };
export const WEB_SERVERS: readonly WebServer[] = [NGINX, { name: 'caddy', program: findServer('caddy') }];

/** The reason for skipping the tests of a missing server. */
export const needs = ({ name }: WebServer): string =>
  `needs ${name}: install it, or set ${name.toUpperCase()}_PATH`;

/** Workers that may read the files of whoever runs the tests. */
const WITH_WORKERS = `worker_processes 2; ${process.getuid?.() === 0 ? 'user root;' : ''}`;

/** The addresses of a server and of the two behind it. */
type Places = {
  program: string;
  root: string;
  port: number;
  shopPort: number;
  service: string;
  shop: string;
};

/** How to start a server, and how to tell from its messages and its folder that it has started. */
type Startup = {
  config: string;
  text: string;
  argv: string[];
  isUp: (said: string, files: readonly string[]) => boolean;
  check: string;
  reload: string;
};

const nginxIn = ({ program, root, port, shopPort, service, shop }: Places): Startup => {
  const config = join(root, 'nginx.conf');
  const tls = `ssl_certificate ${root}/certificate.pem; ssl_certificate_key ${root}/key.pem;`;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${root}/temporary/${name};`)
    .join(' ');
  const argv = ['-p', root, '-e', 'stderr', '-c', config];
  const command = [program, ...argv].join(' ');
  return {
    config,
    text: `daemon off; ${WITH_WORKERS} pid ${root}/nginx.pid; error_log stderr warn;
events { }
http {
  ${temporary}
  access_log off;
  ${block('hosting: Rolling out by share: nginx').replaceAll('/srv/card-form', root)}
  ${block('hosting: With nginx: nginx')
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl; ${tls}`)
    .replace('server_name pay.example;', 'server_name 127.0.0.1;')
    .replaceAll('/srv/card-form', root)
    .replace('https://pay.example', `https://127.0.0.1:${port}`)
    .replace('http://your-service', service)}
  server {
    listen 127.0.0.1:${shopPort} ssl; server_name localhost; ${tls}
    location / { proxy_pass ${shop}; }
  }
}
`,
    argv,
    isUp: (_, files) => files.includes('nginx.pid'),
    check: `${command} -t`,
    reload: `${command} -s reload`,
  };
};

const caddyIn = ({ program, root, port, shopPort, service, shop }: Places): Startup => {
  const config = join(root, 'Caddyfile');
  const tls = `tls ${root}/certificate.pem ${root}/key.pem`;
  const host = (url: string) => url.replace('http://', '');
  return {
    config,
    text: `{
\tadmin unix/${root}/admin.sock
\tauto_https off
\tservers {
\t\tprotocols h1 h2
\t}
}
${block('hosting: With Caddy: caddyfile')
  .replace('pay.example {', () => `https://127.0.0.1:${port} {\n\t${tls}`)
  .replaceAll('/srv/card-form', root)
  .replace('https://pay.example', `https://127.0.0.1:${port}`)
  .replace('your-service:8080', host(service))}
https://localhost:${shopPort} {
\t${tls}
\treverse_proxy ${host(shop)}
}
`,
    argv: ['run', '--config', config],
    isUp: (said) => said.includes('serving initial configuration'),
    check: `${program} validate --config ${config}`,
    reload: `${program} reload --config ${config}`,
  };
};

/**
 * Starts a web server in front of the service and the shop at these addresses. `change` may damage the hosted files or
 * the configuration before the start, by path below its folder.
 */
export const startHosting = async (
  { name, program }: WebServer,
  { service, shop }: { service: string; shop: string },
  change: (root: string) => Promise<void> = async () => undefined,
): Promise<Hosting> => {
  if (program === null) throw new Error(`There is no ${name}.`);
  const root = await mkdtemp(join(tmpdir(), `card-form-${name}-`));
  for (const folder of ['partner', name])
    await cp(join(DIST, folder), join(root, folder), { recursive: true });
  for (const file of ['llms.txt', 'llms.txt.br', 'llms.txt.gz']) await cp(join(DIST, file), join(root, file));
  await mkdir(join(root, 'temporary'));
  const { key, certificate } = createCertificate();
  await writeFile(join(root, 'key.pem'), key);
  await writeFile(join(root, 'certificate.pem'), certificate);
  const [port, shopPort] = [await freePort(), await freePort()];
  const places = { program, root, port, shopPort, service, shop };
  const { config, text, argv, isUp, check, reload } = name === 'nginx' ? nginxIn(places) : caddyIn(places);
  await writeFile(config, text);
  await change(root);

  // Caddy keeps certificates and its last configuration in the user's folders.
  const env = {
    ...process.env,
    XDG_DATA_HOME: join(root, 'temporary'),
    XDG_CONFIG_HOME: join(root, 'temporary'),
  };
  const server = spawn(program, argv, { stdio: ['ignore', 'ignore', 'pipe'], env });
  let said = '';
  const ended = new Promise<void>((resolve) => {
    server.once('exit', () => resolve());
  });
  server.stderr.on('data', (more) => {
    said = (said + more).slice(-20_000);
  });
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
    await rm(root, { recursive: true });
  };
  while (!isUp(said, await readdir(root))) {
    if (server.exitCode !== null) throw new Error(`${name} did not start: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    name,
    url: `https://127.0.0.1:${port}`,
    shop: `https://localhost:${shopPort}`,
    root,
    authority: join(root, 'certificate.pem'),
    check,
    reload,
    stop,
  };
};
