/** A monitor's findings for a site with three kept releases: as published, and spoilt. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { GetResponse, HttpGet } from '../../api/command/http-get.ts';
import { IN_EACH_CODING } from '../hosting/requesters.ts';
import { TimeLimitError, until } from '../hosting/served.ts';
import { diskAt } from './disk.ts';
import { buildThree, START, siteInMemory } from './folder.fixture.ts';
import { readBuiltAlone, readKept } from './run.ts';
import { memoryDisk, SITE_ORIGIN } from './site.fixture.ts';
import { faultsIn, formatVerified, type VerifyOptions, verifyServed } from './verify-served.ts';

const LOADER = '/partner/v1/card-form.js';

const { dist, names, nameOf, publish } = buildThree();
const TEN_MINUTES = 600_000;
const site = siteInMemory();
const { disk, get: served } = site.contextAt(START);

beforeAll(async () => {
  for (const index of [0, 1, 2]) await site.run(publish(index), START + index * TEN_MINUTES);
  await site.run({ command: 'withdraw', release: nameOf(0) }, START + 3 * TEN_MINUTES);
});

type Spoil = (answer: GetResponse, address: string, agent: string) => GetResponse | Promise<GetResponse>;

/** The site's answers, changed by `spoil`. */
const getWith =
  (spoil: Spoil = (answer) => answer): HttpGet =>
  async (url, headers) => {
    const address = new URL(url).pathname;
    return spoil(await served(url, headers), address, headers['user-agent'] ?? '');
  };

const verify = (spoil?: Spoil, options: Partial<VerifyOptions> = {}) =>
  verifyServed({
    origin: SITE_ORIGIN,
    read: () => readKept(disk),
    signedBy: null,
    get: getWith(spoil),
    isAnyCoding: true, // this server has none
    ...options,
  });

const folderOf = (index: number) => `/partner/v1/card-form/${names[index]}/`;

describe('threat-model C79: every kept release is served as it was built', () => {
  it('finds no difference in the moving, a pinned and a withdrawn release', async () => {
    const report = await verify();
    expect(formatVerified(report).differences).toEqual([]);
    expect(report).toMatchObject({
      ok: true,
      baseUrl: SITE_ORIGIN,
      releases: [
        { release: names[0], isMoving: false, isWithdrawn: true, addresses: 2 },
        { release: names[1], isMoving: false, isWithdrawn: false, addresses: 3 },
        { release: names[2], isMoving: true, isWithdrawn: false, addresses: 5 },
      ],
    });
    expect(formatVerified(report).summary).toContain(
      `${SITE_ORIGIN}: 5 addresses of release ${names[2]}, the moving one: headers and content as built.`,
    );
  });

  const spoilt: readonly [string, Spoil, () => readonly unknown[]][] = [
    [
      'other bytes for one user agent',
      (answer, address, agent) =>
        address.startsWith(folderOf(1)) && address.endsWith('/form.js') && /Googlebot/.test(agent)
          ? { ...answer, body: Buffer.from('steal()') }
          : answer,
      () => [
        expect.stringMatching(
          `^${folderOf(1)}assets/form\\.js: content: expected sha384-\\S+; got sha384-\\S+ \\(7 bytes\\) \\(asked as Googlebot\\)$`,
        ),
      ],
    ],
    [
      'an old release that is missing, in one line',
      (answer, address) =>
        address.startsWith(folderOf(1)) ? { status: 404, headers: {}, body: Buffer.from('') } : answer,
      () => [expect.stringMatching(`^${folderOf(1)}\\S+ and 2 more: expected status 200; got 404$`)],
    ],
    [
      'the script of the release before at the moving address, by name',
      (answer, address) =>
        address === LOADER && answer.status === 200
          ? { ...answer, body: site.files.get(`${folderOf(1).slice(1)}card-form.js`) ?? Buffer.from('') }
          : answer,
      () => [
        expect.stringMatching(`^${LOADER}: content: expected .*\\(card-form\\.js of release ${names[1]}, `),
      ],
    ],
    [
      'a form in place of the document of a withdrawn release',
      (answer, address) =>
        address === `${folderOf(0)}frame.html` ? { ...answer, body: Buffer.from('<form>') } : answer,
      () => [expect.stringMatching(`^${folderOf(0)}frame\\.html: content: expected`)],
    ],
  ];
  it.each(spoilt)('names %s, and nothing else', async (_, spoil, expected) => {
    const report = await verify(spoil);
    expect(formatVerified(report).differences).toEqual(expected());
    expect(report.ok).toBe(false);
  });

  it('demands a signature of every release, if the owner names the key', async () => {
    const key = `ed25519-${Buffer.alloc(32, 7).toString('base64')}`;
    const report = await verify(undefined, { signedBy: key });
    const missing = `signature: expected one of the key ${key}; got none`;
    expect(formatVerified(report).differences).toEqual([
      `${folderOf(0)}card-form.js: ${missing}`,
      `${folderOf(1)}card-form.js: ${missing}`,
      `${LOADER} and 1 more: ${missing}`,
    ]);
  });

  it('restarts if another release became the moving one in the meantime', async () => {
    const kept = await readKept(disk);
    let reads = 0;
    const read = async () => {
      reads += 1;
      return reads === 1 ? { ...kept, moving: names[1] ?? '' } : kept;
    };
    expect(await verify(undefined, { read })).toMatchObject({ ok: true });
    expect(reads).toBe(3);
  });

  it('notices that files are not compressed any more, as one fault of each release', async () => {
    const bestOf = (accepted: string) =>
      ['br', 'gzip'].find((coding) => accepted.split(', ').includes(coding));
    /** A server that sends each coding it has. */
    const getIn =
      (coded: (coding: string) => boolean): HttpGet =>
      async (url, headers) => {
        const answer = await getWith()(url, headers);
        const best = bestOf(headers['accept-encoding'] ?? '');
        return best !== undefined && coded(best)
          ? { ...answer, headers: { ...answer.headers, 'content-encoding': best } }
          : answer;
      };
    const all = { isAnyCoding: false };
    expect(await verify(undefined, { ...all, get: getIn(() => true) })).toMatchObject({ ok: true });
    const lost = await verify(undefined, { ...all, get: getIn((coding) => coding !== 'br') });
    const faults = faultsIn(lost).map(({ release, problem, addresses }) => [release, problem, addresses]);
    // The moving release also has its files at the moving addresses; a withdrawn one is skipped.
    const problem = 'content-encoding: expected "br"; got none';
    expect(faults).toEqual([
      [names[1], problem, 3],
      [names[2], problem, 5],
    ]);
  });

  it('gives up when the time is over, and takes that for no difference', async () => {
    let time = START;
    const get: HttpGet = async (url, headers) => {
      time += 1000;
      return getWith()(url, headers);
    };
    const limited = until(get, START + 5000, () => time);
    await expect(verify(undefined, { get: limited })).rejects.toThrow(TimeLimitError);
  });

  it('without releases.json compares with the build that contains the program', async () => {
    const report = await verify(undefined, {
      read: () => readBuiltAlone(diskAt(dist(2))),
    });
    expect(report).toMatchObject({
      ok: true,
      releases: [{ release: names[2], isMoving: true, addresses: 5 }],
    });
  });

  it('needs releases.json and the manifests of its releases', async () => {
    await expect(readKept(diskAt(dist('.')))).rejects.toThrow(
      'releases.json was expected to be there; it is not.',
    );
    await expect(readBuiltAlone(diskAt(dist('.')))).rejects.toThrow('headers.json and sri.json of the build');
    const without = new Map([...site.files].filter(([path]) => !path.startsWith(`releases/${names[1]}/`)));
    const bare = memoryDisk(without);
    await expect(readKept(bare)).rejects.toThrow(`releases/${names[1]} was expected to have headers.json`);
  });
});

describe('threat-model C79: while the script is split, both sides are served as they were built', () => {
  const split = siteInMemory();
  const context = split.contextAt(START);
  beforeAll(async () => {
    await split.run(publish(0));
    await split.run(publish(1, 50));
  });

  type Asked = { address: string; headers: Readonly<Record<string, string>>; loaderOf: string };
  type SpoilSplit = (answer: GetResponse, asked: Asked) => GetResponse;

  /** `loaderOf`: the release whose moving script is the answer. */
  const verifySplit = (spoil: SpoilSplit = (answer) => answer, options: Partial<VerifyOptions> = {}) =>
    verifyServed({
      origin: SITE_ORIGIN,
      read: () => readKept(context.disk),
      signedBy: null,
      get: async (url, headers) => {
        const answer = await context.get(url, headers);
        const address = new URL(url).pathname;
        const [, loaderOf = ''] = /^load\('(.+)'\)$/.exec(address === LOADER ? `${answer.body}` : '') ?? [];
        return spoil(answer, { address, headers, loaderOf });
      },
      isAnyCoding: true,
      ...options,
    });

  const differencesOf = async (spoil?: SpoilSplit, options?: Partial<VerifyOptions>) =>
    formatVerified(await verifySplit(spoil, options)).differences;

  it('finds no difference, and asks in each coding for the script of each side', async () => {
    const asked = new Set<string>();
    const report = await verifySplit((answer, { headers, loaderOf }) => {
      const who = headers['user-agent'] ?? '';
      if (loaderOf && 'sec-fetch-dest' in headers && who.includes('card-form release'))
        asked.add(`${loaderOf} ${headers['accept-encoding']}`);
      return answer;
    });
    expect(formatVerified(report).differences).toEqual([]);
    expect(report.releases.map(({ release, isMoving }) => [release, isMoving])).toEqual([
      [names[0], true],
      [names[1], false],
    ]);
    for (const index of [0, 1])
      for (const coding of ['gzip', 'identity']) expect([...asked]).toContain(`${names[index]} ${coding}`);
    expect(asked.size).toBe(2 * IN_EACH_CODING.length);
  });

  it.each<[string, SpoilSplit, () => readonly unknown[]]>([
    [
      'a public script on one side, which a shared cache would give to all',
      (answer, { loaderOf }) =>
        loaderOf === names[1]
          ? {
              ...answer,
              headers: { ...answer.headers, 'cache-control': 'public, max-age=300, must-revalidate' },
            }
          : answer,
      () => [
        `${LOADER}: cache-control: expected "private, max-age=300, must-revalidate"; got "public, max-age=300, must-revalidate"`,
      ],
    ],
    [
      'other bytes on one side, in one coding',
      (answer, { headers, loaderOf }) =>
        loaderOf === names[1] && headers['accept-encoding'] === 'gzip'
          ? { ...answer, body: Buffer.from('steal()') }
          : answer,
      () => [
        expect.stringMatching(
          `^${LOADER}: content: expected sha384-\\S+; got sha384-\\S+ \\(7 bytes\\) \\(asked as Chrome with gzip only\\)$`,
        ),
      ],
    ],
    [
      'a side that no visitor gets',
      (answer, { loaderOf }) =>
        loaderOf === names[1]
          ? { ...answer, body: split.files.get(`${folderOf(0).slice(1)}card-form.js`) ?? Buffer.from('') }
          : answer,
      () => [`${LOADER}: none of 24 visitors got that of ${names[1]}`],
    ],
    [
      'the ETag of a side that is not known again',
      (answer, { address, headers }) =>
        address === LOADER && answer.status === 304 && 'if-none-match' in headers
          ? { ...answer, status: 200 }
          : answer,
      () => [`${LOADER}: expected an etag that revalidates with 304; it does not`],
    ],
    [
      'the frame of the other side at the moving address',
      (answer, { address }) =>
        address === '/partner/v1/card-form/frame' && answer.status === 200
          ? { ...answer, body: split.files.get(`${folderOf(1).slice(1)}frame.html`) ?? Buffer.from('') }
          : answer,
      () => [
        expect.stringMatching(/^\/partner\/v1\/card-form\/frame: content: expected .*frame\.html of release/),
      ],
    ],
  ])('names %s, and nothing else', async (_, spoil, expected) => {
    expect(await differencesOf(spoil)).toEqual(expected());
  });

  it('demands a signature of the script on both sides, if the owner names the key', async () => {
    const key = `ed25519-${Buffer.alloc(32, 7).toString('base64')}`;
    const { releases } = await verifySplit(undefined, { signedBy: key });
    const at = releases.flatMap(({ differences }) => differences.map(({ address }) => address));
    expect(at.filter((address) => address === LOADER)).toHaveLength(2);
  });

  it('restarts if the share ended in the meantime', async () => {
    const kept = await readKept(context.disk);
    let reads = 0;
    const read = async () => {
      reads += 1;
      const whole = kept.hosted.map((one) => ({ ...one, isSplit: false }));
      return reads === 1 ? { ...kept, canary: null, hosted: whole } : kept;
    };
    expect(await verifySplit(undefined, { read })).toMatchObject({ ok: true });
    expect(reads).toBe(3);
  });
});
