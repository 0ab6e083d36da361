import { createHash } from "node:crypto";
import { selectorFromObject, SelectorError } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import type { HostnameSettings } from "../settings.ts";
import type { Wish } from "../claims/claim.ts";
import { EMPTY_LOAD } from "./gateway-load.ts";
import type { GatewayLoad } from "./gateway-load.ts";
import { labelsOf, profileOf } from "./pool-gateways.ts";
import type { PoolGateway } from "./pool-gateways.ts";
import { gatewayName, gatewayNumber, POOL_LABEL } from "./pool-names.ts";

export type PlacementSettings = Pick<HostnameSettings, "placement" | "limits" | "listeners" | "defaultCertificateArn">;

export interface PlacementQuestion {
  readonly hostname: string;
  readonly wish: Wish;
  /** ARN of the certificate: where it is already it takes no room. */
  readonly certificate: string | undefined;
  /**
   * Where the hostname is: it stays there for as long as the Gateway is what the wish asks for, however full it is, unless the wish
   * names another one (`moveTo`) that has room.
   */
  readonly current?: string | undefined;
  /** All Gateways of the edge namespace, and those that are about to be made. */
  readonly gateways: readonly PoolGateway[];
  readonly loads: { get(gateway: string): GatewayLoad | undefined };
  readonly settings: PlacementSettings;
}

export interface Placement {
  readonly gateway: string;
  /** There is no such Gateway yet. */
  readonly isNew: boolean;
}

/** Gateway API lets a Gateway have 64 listeners, of which two are the pool's own. */
export const MOST_HOSTNAMES = 62;

/**
 * Decides which Gateway takes a hostname. Pure: same question, same answer. Hostnames that are placed stay where they are, and no
 * Gateway is filled beyond a limit; when none has room, the next free number is taken, never that of a Gateway which is going.
 * Undefined: no Gateway can be what the wish's selector asks for.
 */
export function chooseGateway(question: PlacementQuestion): Placement | undefined {
  const { gateways, wish, current, settings, hostname } = question;
  const suited = gateways.filter((gateway) => suits(gateway, wish));
  const asked = suited.find(({ name, open }) => open && name === wish.moveTo);
  const stay = suited.find(({ name }) => name === current);
  if (asked !== undefined && (asked === stay || hasRoom(asked.name, question)))
    return { gateway: asked.name, isNew: false };
  if (stay !== undefined) return { gateway: stay.name, isNew: false };
  const rank = settings.placement === "first-fit" ? numberOf : hashWith(hostname);
  const first = suited
    .filter(({ open }) => open)
    .map(({ name }) => ({ name, rank: rank(name) }))
    .toSorted(lowerFirst)
    .find(({ name }) => hasRoom(name, question));
  if (first !== undefined) return { gateway: first.name, isNew: false };
  const name = nextName(gateways);
  const made = {
    name,
    ...profileOf(wish),
    labels: { [POOL_LABEL]: "true", ...labelsOf([wish.gatewaySelector]) },
    open: true,
  };
  return suits(made, wish) ? { gateway: name, isNew: true } : undefined;
}

/** Whether a Gateway could take the hostname, whatever placement would choose; if not, why. For moves that a person asks for. */
export function refusalOf(gateway: PoolGateway, question: Omit<PlacementQuestion, "gateways">): string | undefined {
  if (!gateway.open)
    return `Gateway ${gateway.name} takes no more hostnames: it is not of the pool, draining or going.`;
  if (!suits(gateway, question.wish)) {
    return `Gateway ${gateway.name} has another visibility, class, web ACL or other labels than the hostname asks for.`;
  }
  return hasRoom(gateway.name, question) ? undefined : `Gateway ${gateway.name} has no room left.`;
}

/** Whether a Gateway is what the wish asks for. */
export function suits({ visibility, gatewayClass, wafArn, labels }: PoolGateway, wish: Wish): boolean {
  if (visibility !== wish.visibility || gatewayClass !== wish.gatewayClass || wafArn !== wish.wafArn) return false;
  return wish.gatewaySelector === undefined || selects(wish.gatewaySelector, labels);
}

function selects(selector: NonNullable<Wish["gatewaySelector"]>, labels: Readonly<Record<string, string>>): boolean {
  try {
    return selectorFromObject(selector as Json).matches(labels);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

function hasRoom(name: string, { loads, certificate, settings, wish }: Omit<PlacementQuestion, "gateways">): boolean {
  const { limits, listeners, defaultCertificateArn } = settings;
  const { certificates, rules, targetGroups, hostnames } = loads.get(name) ?? EMPTY_LOAD;
  if (listeners === "gateways" && hostnames + 1 > MOST_HOSTNAMES) return false;
  if (rules + 1 > limits.rules - limits.headroom) return false;
  if (wish.redirectTo === undefined && targetGroups + 1 > limits.targetGroups - limits.headroom) return false;
  // One that is not known yet is taken for another one.
  const after = new Set([...certificates, certificate ?? ""]);
  return beyondDefault(after, defaultCertificateArn) <= limits.certificates;
}

/** How many certificates count: the default one does not. */
export function beyondDefault(certificates: ReadonlySet<string>, defaultArn: string | undefined): number {
  const free = defaultArn === undefined ? certificates.size > 0 : certificates.has(defaultArn);
  return certificates.size - (free ? 1 : 0);
}

function nextName(gateways: readonly PoolGateway[]): string {
  const taken = new Set(gateways.map(({ name }) => name));
  let number = 1;
  while (taken.has(gatewayName(number))) number++;
  return gatewayName(number);
}

function lowerFirst(a: { readonly rank: number }, b: { readonly rank: number }): number {
  return a.rank - b.rank;
}

function numberOf(name: string): number {
  return gatewayNumber(name) ?? Infinity;
}

/** Each hostname has an order of its own over all Gateways, in which one more or less changes nothing about the others. */
function hashWith(hostname: string): (gateway: string) => number {
  return (gateway) => createHash("sha256").update(`${gateway} ${hostname}`).digest().readUIntBE(0, 6);
}
