/** The files that build container images, and their documentation. Needs no container engine and no network. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { block, page } from '../../../e2e/developer/docs.ts';
import { readImage } from '../../../e2e/hosting/containerfile.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { parseOptions } from '../../sandbox/cli/sandbox-options.ts';

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');

/** The source of a path in `dist/image/`, as copied by vite.config.ts. */
const sourceOf = (built: string) =>
  built
    .replace('dist/image/hosting', 'src/owner/hosting/image')
    .replace('dist/image/sandbox', 'src/sandbox/service/image');

const hosting = readImage(read('src/owner/hosting/image/Containerfile'));
const sandbox = readImage(read('src/sandbox/service/image/Containerfile'));

describe('hosting, As a container', () => {
  const [build = '', run = ''] = block('hosting: As a container: text').split('\n');
  const prose = page('hosting').text;

  it('builds with the Containerfile, the context that it copies from, and its own folder', () => {
    const { values, positionals } = parseArgs({
      args: build.split(' '),
      allowPositionals: true,
      options: {
        file: { type: 'string' },
        'build-context': { type: 'string' },
        tag: { type: 'string' },
      },
    });
    const [program, command, context = '', ...more] = positionals;
    expect([program, command, more]).toEqual(['docker', 'build', []]);
    expect(readImage(read(sourceOf(values.file ?? '')))).toEqual(hosting);
    // docker looks for a Dockerfile unless told otherwise.
    expect(values.file).toBe(`${context}/Containerfile`);
    expect(values['build-context']).toBe('site=/srv/card-form');
    for (const { context: name, from } of hosting.copies) {
      expect(['', 'site']).toContain(name);
      if (name === '') for (const path of from) expect(read(`${sourceOf(context)}/${path}`)).not.toBe('');
    }
  });

  it('runs read-only and without capabilities, on the port that it listens on, with the variables that it reads', () => {
    const { values, positionals } = parseArgs({
      args: run.split(' '),
      allowPositionals: true,
      options: {
        'read-only': { type: 'boolean' },
        tmpfs: { type: 'string' },
        'cap-drop': { type: 'string' },
        publish: { type: 'string' },
        env: { type: 'string' },
      },
    });
    expect(positionals).toEqual(['docker', 'run', 'card-form']);
    expect(values).toMatchObject({ 'read-only': true, tmpfs: '/tmp', 'cap-drop': 'ALL' });
    expect(values.publish).toBe(`127.0.0.1:${hosting.port}:${hosting.port}`);
    const configuration = read('src/owner/hosting/image/nginx.conf');
    expect(configuration).toContain(`listen ${hosting.port};`);
    const start = read('src/owner/hosting/image/start.sh');
    const variables = [...start.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    expect(variables).toEqual(['CARD_FORM_ORIGIN', 'CARD_FORM_PROXY']);
    expect(values.env).toBe('CARD_FORM_ORIGIN=https://pay.example');
    for (const name of variables) expect(prose).toContain(`- \`${name}\` is `);
  });

  it('names the port, the user, the base image and its argument', () => {
    expect(prose).toContain(`port ${hosting.port} as user ${hosting.user.split(':')[0]},`);
    expect(prose).toContain(`\`--build-arg ${hosting.base.argument}=docker.io/library/nginx@sha256:…\``);
    expect(prose).toContain(`\`docker buildx imagetools inspect ${hosting.base.image}\``);
  });
});

/** Every key used by the documentation's example. Compose has more. */
const Compose = z.strictObject({
  services: z.strictObject({
    sandbox: z.strictObject({
      build: z.strictObject({ context: z.string(), dockerfile: z.string() }),
      read_only: z.literal(true),
      tmpfs: z.tuple([z.literal('/tmp')]),
      ports: z.tuple([z.string()]),
      environment: z.record(z.string(), z.string()),
    }),
  }),
});

describe('sandbox, From a container or another machine', () => {
  const prose = page('sandbox').text;
  const { build, ports, environment } = Compose.parse(
    parse(block('sandbox: From a container or another machine: yaml 3')),
  ).services.sandbox;

  it('the Compose file builds from the installed package, with files that the package contains', () => {
    expect(build.context).toBe(`node_modules/${packageJson.name}`);
    expect(readImage(read(sourceOf(build.dockerfile)))).toEqual(sandbox);
    const isPacked = (path: string) =>
      path === 'package.json' ||
      (packageJson.files.some((folder) => path.startsWith(`${folder}/`)) &&
        !packageJson.files.includes(`!${path}`));
    expect(isPacked(build.dockerfile)).toBe(true);
    const [, program = ''] = sandbox.entrypoint;
    expect(isPacked(program.replace('/card-form/', ''))).toBe(true);
    expect(sandbox.copies).toEqual([
      { context: '', from: ['package.json'], to: '/card-form/' },
      { context: '', from: ['dist'], to: '/card-form/dist' },
    ]);
  });

  it('the Compose file publishes the port of the image only to this machine, and passes the token', () => {
    expect(ports).toEqual([`127.0.0.1:${sandbox.port}:${sandbox.port}`]);
    expect(Object.entries(environment)).toEqual([
      ['CARD_FORM_SANDBOX_TOKEN', expect.stringMatching(/^\$\{CARD_FORM_SANDBOX_TOKEN:\?.+\}$/)],
    ]);
  });

  it('the image accepts the options of its command line, and the options that the page replaces them with', () => {
    const [, , command, ...fixed] = sandbox.entrypoint;
    expect(command).toBe('sandbox');
    const token = 'for-the-tests-of-this-job-alone';
    const optionsWith = (more: readonly string[]) =>
      parseOptions([...fixed, ...more], { CARD_FORM_SANDBOX_TOKEN: token });
    expect(optionsWith(sandbox.cmd)).toMatchObject({
      host: '0.0.0.0',
      port: sandbox.port,
      names: ['sandbox'],
      token,
    });
    const [, own = ''] = /`command: (--[^`]+)`/.exec(prose) ?? [];
    expect(optionsWith(own.split(/\s+/))).toMatchObject({ names: ['sandbox', 'pay.test'] });
  });

  it('names the user, and a base image with a Node that the package supports', () => {
    expect(prose).toContain(`runs as user ${sandbox.user.split(':')[0]},`);
    expect(prose).toMatch(
      new RegExp(`build argument \`${sandbox.base.argument}\`:\\s+\`docker.io/library/node@`),
    );
    const [, major = ''] = /^docker\.io\/library\/node:(\d+)-slim$/.exec(sandbox.base.image) ?? [];
    const [, least = ''] = /^>=(\d+)\./.exec(packageJson.engines.node) ?? [];
    expect(Number(major)).toBeGreaterThan(Number(least));
  });
});
