import { OptionError } from '../sandbox/core/option-error.ts';
import { sandboxOptions } from '../sandbox/options.ts';
import { conformanceOptions } from './conformance-options.ts';
import { probeOptions } from './probe-options.ts';
import { releaseOptions } from './release-options.ts';
import { listenOptions, triggerOptions } from './remote-options.ts';
import { serverConformanceOptions } from './server-conformance-options.ts';
import { verifyOptions } from './verify-options.ts';

const indented = (list: string) => list.replace(/^The options are:\n/, '');

/** The text of `card-form --help`. */
export const usage = (): string =>
  [
    'card-form <command> [options]',
    '',
    'card-form sandbox      the whole payment service on this machine, with test numbers',
    indented(sandboxOptions()),
    '',
    'card-form trigger name makes an event or an error happen in a running sandbox; without a name, lists them',
    indented(triggerOptions()),
    '',
    'card-form listen       has a running sandbox send its webhooks to your server, and prints them',
    indented(listenOptions()),
    '',
    "card-form conformance  checks a service's client routes against the contract; charges nothing without --pay-with",
    indented(conformanceOptions()),
    '',
    'card-form conformance --server  checks the routes for merchants’ servers; creates payments and charges nothing',
    indented(serverConformanceOptions()),
    '',
    'card-form release      publish, promote, abort, rollback, withdraw, repair, prune, status or history: the releases that a server hosts',
    indented(releaseOptions()),
    '',
    'card-form verify       compares what a service sends with every release that it keeps; for a schedule',
    indented(verifyOptions()),
    '',
    'card-form probe        opens the form of a service in a real browser until a buyer could pay; never pays',
    indented(probeOptions()),
    '',
    'card-form --help       this list',
    'card-form --version    the version',
  ].join('\n');

/** A parsed command line. */
export type CliCommand =
  | {
      command: 'sandbox' | 'trigger' | 'listen' | 'conformance' | 'release' | 'verify' | 'probe';
      argv: readonly string[];
    }
  | { command: 'help' }
  | { command: 'version' };

/** Throws an `OptionError` with the usage if the command does not exist. */
export const commandOf = ([name, ...argv]: readonly string[]): CliCommand => {
  if (argv.includes('--help') || name === '--help' || name === 'help') return { command: 'help' };
  switch (name) {
    case 'sandbox':
    case 'trigger':
    case 'listen':
    case 'conformance':
    case 'release':
    case 'verify':
    case 'probe':
      return { command: name, argv };
    case '--version':
      return { command: 'version' };
    case undefined:
      throw new OptionError(`card-form needs a command.\n\n${usage()}`);
    default:
      throw new OptionError(`There is no command ${JSON.stringify(name.slice(0, 60))}.\n\n${usage()}`);
  }
};
