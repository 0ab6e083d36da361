import type { Immutable } from "@gatewright/kube";
import type { GatewayHostnameRequest } from "@gatewright/resources";
import { normaliseHostname } from "../names/index.ts";

/** A hostname that a request wants. */
export interface WantedName {
  /** In the one form that is compared. */
  readonly hostname: string;
  /** Where it only redirects to: `www` names. */
  readonly redirectTo?: string;
}

/** The hostnames of a request, its own first; or what is wrong with it. */
export type WantedNames =
  | { readonly names: readonly [WantedName, ...(readonly WantedName[])] }
  | { readonly problem: string };

/** Reads them from a spec. Pure. */
export function wantedNames({ hostname, dns }: Immutable<GatewayHostnameRequest>["spec"]): WantedNames {
  const own = normaliseHostname(hostname);
  if ("problem" in own) return own;
  if (dns?.www !== true) return { names: [own] };
  const www = normaliseHostname(`www.${own.hostname}`);
  if ("problem" in www) return { problem: `dns.www: ${www.problem}` };
  return { names: [own, { ...www, redirectTo: own.hostname }] };
}
