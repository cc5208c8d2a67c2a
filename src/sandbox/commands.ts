import { conformanceOptions } from './conformance-options.ts';
import { OptionError } from './core/option-error.ts';
import { sandboxOptions } from './options.ts';

const indented = (list: string) => list.replace(/^The options are:\n/, '');

/** The text of `card-form --help`. */
export const usage = (): string =>
  [
    'card-form <command> [options]',
    '',
    'card-form sandbox      the whole payment service on this machine, with test numbers',
    indented(sandboxOptions()),
    '',
    "card-form conformance  checks a service's client routes against the contract; charges nothing without --pay-with",
    indented(conformanceOptions()),
    '',
    'card-form --help       this list',
    'card-form --version    the version',
  ].join('\n');

/** A parsed command line. */
export type Command =
  | { command: 'sandbox' | 'conformance'; argv: readonly string[] }
  | { command: 'help' }
  | { command: 'version' };

/** Throws an `OptionError` with the usage if the command does not exist. */
export const commandOf = ([name, ...argv]: readonly string[]): Command => {
  if (argv.includes('--help') || name === '--help' || name === 'help') return { command: 'help' };
  switch (name) {
    case 'sandbox':
    case 'conformance':
      return { command: name, argv };
    case '--version':
      return { command: 'version' };
    case undefined:
      throw new OptionError(`card-form needs a command.\n\n${usage()}`);
    default:
      throw new OptionError(`There is no command ${JSON.stringify(name.slice(0, 60))}.\n\n${usage()}`);
  }
};
