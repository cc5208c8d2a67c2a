/**
 * Reads the project's Containerfiles, for the tests that run them and those that compare them with the documentation.
 */

/** The instructions that this project's images use. A line with any other is an error. */
const KNOWN = [
  'ARG',
  'FROM',
  'COPY',
  'ENV',
  'USER',
  'EXPOSE',
  'STOPSIGNAL',
  'HEALTHCHECK',
  'ENTRYPOINT',
  'CMD',
];

const SIGNALS: readonly NodeJS.Signals[] = ['SIGQUIT', 'SIGTERM'];

export type Image = {
  /** The build argument that names the base image, and its default. */
  base: { argument: string; image: string };
  /** `context` is the name in `--from`, or empty for the build's own. */
  copies: readonly { context: string; from: readonly string[]; to: string }[];
  env: Readonly<Record<string, string>>;
  user: string;
  port: number;
  stopSignal: NodeJS.Signals;
  healthcheck: readonly string[];
  entrypoint: readonly string[];
  /** Replaced by a command that the user gives. */
  cmd: readonly string[];
};

const wordsOf = (json: string): readonly string[] => {
  const value: unknown = JSON.parse(json);
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string'))
    throw new Error(`Expected a list of words: ${json}`);
  return value;
};

/** Throws if an image's stop signal is not one that these images use. */
export const stopSignalOf = (name: string): NodeJS.Signals => {
  const found = SIGNALS.find((signal) => signal === name);
  if (found === undefined) throw new Error(`STOPSIGNAL must be one of ${SIGNALS.join(', ')}.`);
  return found;
};

/** Throws if an instruction is missing, unknown, or has a form that these images do not use. */
export const readImage = (text: string): Image => {
  const all = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+) (.*[^\\])$/.exec(line) ?? [];
      if (!KNOWN.includes(name)) throw new Error(`Unknown instruction: ${line}`);
      return { name, rest };
    });
  const of = (name: string) => all.filter((one) => one.name === name).map(({ rest }) => rest);
  const single = (name: string): string => {
    const [rest, ...more] = of(name);
    if (rest === undefined || more.length > 0) throw new Error(`Expected one ${name}.`);
    return rest;
  };
  const [argument = '', image = ''] = single('ARG').split('=');
  if (single('FROM') !== `\${${argument}}`) throw new Error('FROM must be the argument of ARG.');
  const user = single('USER');
  if (!/^[1-9]\d*:[1-9]\d*$/.test(user)) throw new Error('USER must be two numbers, neither of them root.');
  const [, check = ''] = /^(?:--\S+ )*CMD (\[.*\])$/.exec(single('HEALTHCHECK')) ?? [];
  return {
    base: { argument, image },
    copies: of('COPY').map((rest) => {
      const [, context = '', paths = ''] = /^(?:--from=(\w+) )?([^-].*)$/.exec(rest) ?? [];
      const from = paths.split(' ');
      const to = from.pop() ?? '';
      if (from.length === 0) throw new Error(`COPY must have a source and a target: ${rest}`);
      return { context, from, to };
    }),
    env: Object.fromEntries(of('ENV').map((rest) => rest.split('=', 2))),
    user,
    port: Number(single('EXPOSE')),
    stopSignal: stopSignalOf(single('STOPSIGNAL')),
    healthcheck: wordsOf(check),
    entrypoint: wordsOf(single('ENTRYPOINT')),
    cmd: of('CMD').flatMap(wordsOf),
  };
};
