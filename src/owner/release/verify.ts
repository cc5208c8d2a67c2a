/** Checks that the running server serves a release as it was built. */
import type { HttpGet } from '../../api/command/http-get.ts';
import { STATIC_ROUTES } from '../../api/routes.ts';
import { integrityOf } from '../../api/served/inline.ts';
import { documentFile, FRAME_FILE } from '../../api/served/language-documents.ts';
import { LLMS_TXT } from '../../api/served/llms-address.ts';
import { IN_EACH_CODING, type Requester, requestingWith } from '../hosting/requesters.ts';
import { compareServed, type Difference } from '../hosting/served.ts';
import { type Hosted, movingRules, ownRules } from './site.ts';
import { withdrawnDocument } from './withdrawn.ts';

/** Number of attempts while a server doesn't answer as expected, and the pause between them in ms. */
const ATTEMPTS = 20;
const PAUSE = 500;

/** Fewer, because a split needs many requests each time. */
const SPLIT_ATTEMPTS = 5;

type Wait = (ms: number) => Promise<unknown>;

/**
 * Repeats until nothing differs, because a server that was just told to reload may give its old answers for a while.
 */
const repeated = async (
  attempts: number,
  wait: Wait,
  ask: () => Promise<readonly Difference[]>,
): Promise<readonly Difference[]> => {
  for (let attempt = 1; ; attempt += 1) {
    const differences = await ask();
    if (differences.length === 0 || attempt >= attempts) return differences;
    await wait(PAUSE);
  }
};

/** The part of a release to request. `split`: what is the same on both sides of a split. */
type Part = 'release' | 'moving' | 'split' | 'loader';

/** The answers expected from the service at `origin` for a part of a release. */
export const expectedAt = (origin: string, hosted: Hosted, part: Part) => ({
  origin,
  release: hosted.release,
  rules: part === 'release' ? ownRules(hosted) : movingRules(hosted),
  files: Object.fromEntries(expectedFiles(hosted, part)),
});

/** Differences between a release and the server's answers at `origin`. A settled server is asked once. */
export const verifyHosted = (
  origin: string,
  hosted: Hosted,
  part: 'release' | 'moving',
  get: HttpGet,
  wait: Wait,
  isSettled = false,
): Promise<readonly Difference[]> =>
  repeated(isSettled ? 1 : ATTEMPTS, wait, () =>
    compareServed({ ...expectedAt(origin, hosted, part), get, requesters: IN_EACH_CODING }),
  );

/** A browser's requests in each coding, with a different user agent. */
const asAgent = (agent: string): readonly Requester[] =>
  IN_EACH_CODING.map((requester) => requestingWith(requester, requester.name, { 'user-agent': agent }));

const loaderOf = ({ integrity: { files } }: Hosted): string => files[STATIC_ROUTES.loader] ?? '';

/** With this many visitors, chance misses one side once in 100,000 times. */
const visitorsFor = (share: number): number => Math.ceil(1200 / Math.min(share, 100 - share));

/** Finds a user agent for each side's script. A side that was not found is missing. */
export const visitorsOf = async (
  origin: string,
  sides: readonly Hosted[],
  share: number,
  get: HttpGet,
): Promise<ReadonlyMap<Hosted, string>> => {
  const agents = new Map<Hosted, string>();
  for (let visitor = 0; visitor < visitorsFor(share) && agents.size < sides.length; visitor += 1) {
    const agent = `Mozilla/5.0 (card-form release ${visitor})`;
    const headers = { 'user-agent': agent, 'accept-encoding': 'identity' };
    // A server that reloads may close a connection. The next visitor tries again.
    const response = await get(origin + STATIC_ROUTES.loader, headers).catch(() => null);
    if (response === null) continue;
    const side = sides.find((one) => loaderOf(one) === integrityOf(response.body));
    if (side && !agents.has(side)) agents.set(side, agent);
  }
  return agents;
};

/**
 * Script differences on both sides of a split. Only the server knows which side a visitor is on, so it is asked with
 * one user agent after another until both scripts have been seen. `demanded` is the key that must have signed both; if
 * null, the key each release names.
 */
export const splitDifferences = async (
  origin: string,
  sides: readonly Hosted[],
  share: number,
  get: HttpGet,
  demanded: string | null = null,
): Promise<readonly Difference[]> => {
  const visitors = visitorsFor(share);
  const agents = await visitorsOf(origin, sides, share, get);
  const missing = sides.filter((side) => !agents.has(side));
  if (missing.length > 0)
    return missing.map(({ release }) => ({
      address: STATIC_ROUTES.loader,
      problem: `none of ${visitors} visitors got that of ${release}`,
      askedAs: null,
    }));
  const differences: Difference[] = [];
  for (const [side, agent] of agents) {
    const expected = expectedAt(origin, side, 'loader');
    differences.push(
      ...(await compareServed({
        ...expected,
        keys: signersOf(side, demanded),
        get,
        requesters: asAgent(agent),
      })),
    );
  }
  return differences;
};

/** Keys that must have signed a release's loader: the demanded one or the one it names, and its former one. */
export const signersOf = (
  { integrity: { signedBy, former } }: Pick<Hosted, 'integrity'>,
  demanded: string | null,
): readonly string[] => [demanded ?? signedBy, former].flatMap((key) => (key === undefined ? [] : [key]));

/** The same, plus the other moving addresses. */
export const verifySplit = (
  origin: string,
  moving: Hosted,
  canary: Hosted,
  share: number,
  get: HttpGet,
  wait: Wait,
): Promise<readonly Difference[]> =>
  repeated(SPLIT_ATTEMPTS, wait, async () => [
    ...(await splitDifferences(origin, [moving, canary], share, get)),
    ...(await compareServed({ ...expectedAt(origin, moving, 'split'), get, requesters: IN_EACH_CODING })),
  ]);

/** The addresses to request, with their hashes. */
export const expectedFiles = (
  { release, withdrawn, headers: { languages }, integrity: { files } }: Hosted,
  part: Part,
): readonly (readonly [string, string])[] => {
  const folder = STATIC_ROUTES.release(release);
  /** The frame in each language. A host without these rules answers in English, and the form then loads its texts. */
  const inLanguages = (frame: string, hashOf: (language: string) => string) =>
    languages.map((language) => [`${frame}?${language}`, hashOf(language)] as const);
  const inItsLanguage = (language: string) =>
    `${files[folder + documentFile(language)]} ${files[folder + FRAME_FILE]}`;
  const all = Object.entries(files);
  const moving = [
    ...all.filter(([address]) => !address.startsWith(folder) && address !== LLMS_TXT),
    ...inLanguages(STATIC_ROUTES.frame, inItsLanguage),
  ];
  if (part === 'moving') return moving;
  if (part !== 'release')
    return moving.filter(([address]) => (address === STATIC_ROUTES.loader) === (part === 'loader'));
  const own = all.filter(([address]) => address.startsWith(folder));
  if (withdrawn === null) return [...own, ...inLanguages(folder + FRAME_FILE, inItsLanguage)];
  const document = integrityOf(Buffer.from(withdrawnDocument(release)));
  return [
    ...own
      .filter(([address]) => /^[^/.]+\.(js|html)$/.test(address.slice(folder.length)))
      .map(([address, hash]) => [address, address === folder + FRAME_FILE ? document : hash] as const),
    ...inLanguages(folder + FRAME_FILE, () => document),
  ];
};
