/**
 * The configuration of this copy of the playground: where it gets the form from. In the sandbox it is the sandbox
 * itself, with its control routes. An owner who hosts the files names the service in `index.html`, as `data-…`
 * attributes of the element `#playground`.
 */
import { INSPECTOR } from '../../api/routes.ts';
import { PUBLISHABLE_KEY } from '../../form/channel/protocol.ts';
import type { ServiceAccess } from './code.ts';

export type PlaygroundSite = {
  service: ServiceAccess;
  /** True if a sandbox's control routes are available. */
  hasControl: boolean;
  /**
   * The URL that answers a POST with `{ "clientSecret": "lg_cs_…" }` for a new payment; `null` if the visitor types
   * one.
   */
  paymentUrl: string | null;
  /** Problems with the configuration, for the owner. */
  problems: readonly string[];
};

/** The element's data attributes, as in `DOMStringMap`. */
export type SiteData = {
  /** Origins, separated by spaces. The first is used unless the page's URL selects another of them with `?service=`. */
  service?: string | undefined;
  publishableKey?: string | undefined;
  payment?: string | undefined;
};

/** The publishable key that every sandbox starts with (contract 6.1). */
export const SANDBOX_KEY = `pk_live_sandbox${'0'.repeat(24)}1`;

const originIn = (text: string): string | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) && url.pathname === '/' ? url.origin : null;
};

/**
 * Reads the configuration; `address` is the page's URL. A service that is only in the URL is ignored, because a link
 * could otherwise make the page run a stranger's script.
 */
export const readSite = (data: SiteData, address: URL): PlaygroundSite => {
  const problems: string[] = [];
  const named = (data.service ?? '').split(/\s+/).filter(Boolean);
  const origins = named.flatMap((text) => originIn(text) ?? []);
  if (origins.length < named.length)
    problems.push('data-service: expected origins such as https://pay.example.');
  const isSandbox = named.length === 0 && address.pathname.startsWith(INSPECTOR);

  const asked = address.searchParams.get('service');
  const chosen = origins.find((origin) => origin === originIn(asked ?? ''));
  if (asked !== null && chosen === undefined) {
    problems.push('The address asks for a service that this page does not know. It was ignored.');
  }

  const key = data.publishableKey || SANDBOX_KEY;
  const isKey = new RegExp(PUBLISHABLE_KEY).test(key);
  if (!isKey) problems.push('data-publishable-key: expected a publishable key, pk_live_….');
  return {
    service: {
      origin: chosen ?? origins[0] ?? address.origin,
      publishableKey: isKey ? key : SANDBOX_KEY,
    },
    hasControl: isSandbox,
    paymentUrl: data.payment || null,
    problems,
  };
};
