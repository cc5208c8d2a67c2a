import { type FlagTable, listFlags } from '../api/command/flags.ts';
import { OptionError } from '../api/command/option-error.ts';
import { CONFORMANCE_FLAGS, SERVER_CONFORMANCE_FLAGS } from '../owner/cli/conformance-options.ts';
import { PROBE_FLAGS } from '../owner/cli/probe-options.ts';
import { RELEASE_COMMANDS, RELEASE_FLAGS } from '../owner/cli/release-options.ts';
import { VERIFY_FLAGS } from '../owner/cli/verify-options.ts';
import { LISTEN_FLAGS, TRIGGER_FLAGS } from '../sandbox/cli/remote-options.ts';
import { SANDBOX_FLAGS } from '../sandbox/cli/sandbox-options.ts';

const flags = (table: FlagTable) => listFlags(table).replace(/^The options are:\n/, '');

/** The commands, each with its text for `card-form --help`. */
const COMMANDS = {
  sandbox: () => [
    'card-form sandbox      the whole payment service on this machine, with test numbers',
    flags(SANDBOX_FLAGS),
  ],
  trigger: () => [
    'card-form trigger name makes an event or an error happen in a running sandbox; without a name, lists them',
    flags(TRIGGER_FLAGS),
  ],
  listen: () => [
    'card-form listen       has a running sandbox send its webhooks to your server, and prints them',
    flags(LISTEN_FLAGS),
  ],
  conformance: () => [
    "card-form conformance  checks a service's client routes against the contract; charges nothing without --pay-with",
    flags(CONFORMANCE_FLAGS),
    '',
    'card-form conformance --server  checks the routes for merchants’ servers; creates payments and charges nothing',
    flags(SERVER_CONFORMANCE_FLAGS),
  ],
  release: () => [
    `card-form release      ${RELEASE_COMMANDS.join(', ')}: the releases that a server hosts`,
    flags(RELEASE_FLAGS),
  ],
  verify: () => [
    'card-form verify       compares what a service sends with every release that it keeps; for a schedule',
    flags(VERIFY_FLAGS),
  ],
  probe: () => [
    'card-form probe        opens the form of a service in a real browser until a buyer could pay; never pays',
    flags(PROBE_FLAGS),
  ],
} as const satisfies Record<string, () => readonly string[]>;

export type CommandName = keyof typeof COMMANDS;
const isCommand = (name: string | undefined): name is CommandName =>
  name !== undefined && Object.hasOwn(COMMANDS, name);

/** Output of `card-form --help`, or of `card-form <command> --help`. */
export const usage = (command: CommandName | null = null): string => {
  if (command !== null) return COMMANDS[command]().join('\n');
  return [
    'card-form <command> [options]',
    '',
    ...Object.values(COMMANDS).flatMap((text) => [...text(), '']),
    'card-form <command> --help  what the command takes',
    'card-form --help            this list',
    'card-form --version         the version',
  ].join('\n');
};

/** A parsed command line. */
export type CliCommand =
  | { command: CommandName; argv: readonly string[] }
  | { command: 'help'; about: CommandName | null }
  | { command: 'version' };

/** Throws an `OptionError` with the usage if the command doesn't exist. */
export const commandOf = ([name, ...argv]: readonly string[]): CliCommand => {
  if (argv.includes('--help') || name === '--help' || name === 'help')
    return { command: 'help', about: isCommand(name) ? name : null };
  if (isCommand(name)) return { command: name, argv };
  if (name === '--version') return { command: 'version' };
  throw new OptionError(
    name === undefined
      ? `card-form needs a command.\n\n${usage()}`
      : `There is no command ${JSON.stringify(name.slice(0, 60))}.\n\n${usage()}`,
  );
};
