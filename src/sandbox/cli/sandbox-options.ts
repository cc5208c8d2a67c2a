import * as z from 'zod/mini';
import { flag, integerFrom, matching, parseFlags, turned } from '../../api/command/flags.ts';
import { OptionError } from '../../api/command/option-error.ts';
import { isControlToken } from '../service/core/control-token.ts';
import { SERVICE_PORT } from '../service/core/ports.ts';
import { hostName, SANDBOX_OPTIONS, type SandboxOptions } from '../service/options.ts';

/** A port flag; 0 lets the system choose one. */
export const portFlag = (env: string, fallback: number, description: string) =>
  flag(z._default(integerFrom(0, 65_535), fallback), { description, env });

/**
 * Flags of `card-form sandbox`: the sandbox options that can be given as text, and where it listens.
 *
 * The port's variable is not PORT, which the merchant's own server beside the sandbox reads.
 */
export const SANDBOX_FLAGS = z.object({
  port: portFlag('CARD_FORM_SANDBOX_PORT', SERVICE_PORT, 'port of the service'),
  host: flag(z._default(matching(/^[\w.:-]{1,253}$/), '127.0.0.1'), {
    ...{ takes: 'address', expected: 'an address or name of this machine, such as 0.0.0.0' },
    description:
      'listens there; 0.0.0.0 lets other machines in, and control routes then need the control token',
  }),
  allowHost: flag(z._default(z.array(hostName), []), {
    ...{ takes: 'name', expected: 'a host name without a port, such as sandbox or pay.example.test' },
    description: 'answers to this host name, too; control routes then need the control token; repeatable',
  }),
  ...z.omit(SANDBOX_OPTIONS, {
    ...{ clock: true, faults: true, outgoing: true },
    ...{ keyNumber: true, allowLocalWebhooks: true, webhookHosts: true },
  }).shape,
  webhookHost: SANDBOX_OPTIONS.shape.webhookHosts,
  sharedKeys: turned(
    `has the keys of a sandbox on port ${SERVICE_PORT}; without it, a sandbox on another port has keys of its own`,
  ),
  strictWebhooks: turned("endpoints keep the service's rules: https, port 443, a public host name"),
});

/**
 * The number in a sandbox's keys on this port. Each port has a different one, so that a shop doesn't use the wrong
 * sandbox unnoticed. The standard port, and a port chosen by the system, use the documented keys.
 */
export const keyNumberOn = (port: number): number => (port === 0 || port === SERVICE_PORT ? 1 : port);

/** Only in the environment, because other users of the machine can read its programs' command lines. */
const TOKEN = 'CARD_FORM_SANDBOX_TOKEN';

/** Parses the flags of `card-form sandbox`: the sandbox's options, and where it listens. */
export const parseOptions = (argv: readonly string[], env: Readonly<Record<string, string | undefined>>) =>
  sandboxOf(parseFlags(SANDBOX_FLAGS, argv, env), env);

/** The same for parsed flags, for a program that has additional ones. */
export const sandboxOf = (
  {
    port,
    host,
    allowHost,
    sharedKeys,
    strictWebhooks,
    webhookHost,
    ...options
  }: z.output<typeof SANDBOX_FLAGS>,
  { [TOKEN]: token }: Readonly<Record<string, string | undefined>>,
) => {
  // Unlike other values, not repeated in the message.
  if (token && !isControlToken(token))
    throw new OptionError(
      `${TOKEN} must be a control token: 16 or more letters, digits and characters of - . _ ~ + /; got another text.`,
    );
  const sandbox: SandboxOptions = {
    ...options,
    keyNumber: sharedKeys ? 1 : keyNumberOn(port),
    allowLocalWebhooks: !strictWebhooks,
    webhookHosts: webhookHost,
  };
  return { port, host, names: allowHost, ...(token ? { token } : {}), sandbox };
};
