import { formatTime } from "@gatewright/kube";
import type { Condition } from "@gatewright/runtime";
import { listenerSetName } from "../pool/pool-names.ts";
import { REASONS } from "../reasons.ts";
import type { HostnameSettings } from "../settings.ts";
import { isServing } from "./decide.ts";
import { expiryOf } from "./expiry.ts";
import { claimOn } from "./observation.ts";
import type { Claim, Observation, Request } from "./observation.ts";
import type { Refusal } from "./refusal.ts";
import type { WantedName } from "./wanted-names.ts";
import { isAsWished, wishOf } from "./wish.ts";

type Status = NonNullable<Request["status"]>;

/** One fact for a condition. */
export type Fact = Pick<Condition, "type" | "status" | "reason" | "message">;

/** What the status of a request says, without times of conditions. */
export type Verdict = Omit<Status, "conditions" | "observedGeneration"> & { readonly facts: readonly Fact[] };

/** Conditions of a claim before Ready, in the order in which they come true. */
const STEPS = [
  "Claimed",
  "CertificateRequested",
  "DnsValidated",
  "CertificateIssued",
  "ListenerAttached",
  "DnsAliasReady",
] as const;

/** How a request is, from its claims. Pure. */
export function judge(seen: Observation, refusals: ReadonlyMap<string, Refusal>, settings: HostnameSettings): Verdict {
  const { request, own, wanted } = seen;
  const expiry = expiryOf(request);
  const hostname = "names" in wanted ? wanted.names[0].hostname : undefined;
  const claim = hostname === undefined ? undefined : claimOn(seen, hostname);
  const held = own.filter((each) => each.spec.wish?.redirectTo === undefined && isHolding(each));
  const url = urlOf([claim, ...held]);
  return {
    ...(hostname !== undefined && { hostname }),
    ...(claim?.metadata.name !== undefined && { claim: claim.metadata.name }),
    ...whereabouts(claim, settings),
    ...(url !== undefined && { url }),
    ...routing(held, settings),
    ...(expiry !== undefined && { expiresAt: formatTime(expiry) }),
    facts: request.metadata.deletionTimestamp === undefined ? factsOf(seen, refusals) : lastFacts(seen),
  };
}

function isHolding({ metadata, status }: Claim): boolean {
  return metadata.deletionTimestamp === undefined && status?.claimedAt !== undefined;
}

function whereabouts(claim: Claim | undefined, { edgeNamespace }: HostnameSettings): Partial<Verdict> {
  const { gateway, loadBalancer, certificate } = claim?.status ?? {};
  return {
    ...(gateway !== undefined && { assignedGateway: gateway, assignedGatewayNamespace: edgeNamespace }),
    ...(loadBalancer !== undefined && { assignedLoadBalancer: loadBalancer.dnsName }),
    ...(certificate?.arn !== undefined && { certificateArn: certificate.arn }),
  };
}

/** Where it answers now: at the hostname that is wanted, or at the one that it takes the place of. A wildcard is no address. */
function urlOf(claims: readonly (Claim | undefined)[]): string | undefined {
  const serving = claims.find((claim) => isServing(claim));
  return serving === undefined || serving.spec.hostname.startsWith("*.")
    ? undefined
    : `https://${serving.spec.hostname}`;
}

/** What routes should name: hostnames, and where each is served, on a Gateway that it leaves too. */
function routing(held: readonly Claim[], settings: HostnameSettings): Partial<Verdict> {
  const parents = new Map(held.flatMap((claim) => parentsOf(claim, settings)).map((each) => [each.name, each]));
  return {
    ...(held.length > 0 && { hostnames: held.map(({ spec }) => spec.hostname).sort() }),
    ...(parents.size > 0 && { parents: [...parents.values()].sort((a, b) => (a.name < b.name ? -1 : 1)) }),
  };
}

function parentsOf({ metadata, status }: Claim, { listeners, edgeNamespace: namespace }: HostnameSettings) {
  const gateways = [
    ...(status?.gateway === undefined ? [] : [status.gateway]),
    ...(status?.leaving ?? []).map(({ gateway }) => gateway),
  ];
  return gateways.map((name) =>
    listeners === "gateways"
      ? ({ kind: "Gateway", namespace, name } as const)
      : ({ kind: "ListenerSet", namespace, name: listenerSetName(name, metadata.name ?? "") } as const),
  );
}

function factsOf(seen: Observation, refusals: ReadonlyMap<string, Refusal>): readonly Fact[] {
  const [main, ...others] = "names" in seen.wanted ? seen.wanted.names : [{ hostname: seen.request.spec.hostname }];
  const refusal = refusals.get(main.hostname);
  const claim = claimOn(seen, main.hostname);
  if (refusal !== undefined || claim === undefined) {
    const said = refusal ?? CLAIMING;
    return [no("Claimed", said), no("Ready", said), ...denial(refusal)];
  }
  const steps = STEPS.flatMap((type) => mirrored(claim, type) ?? (type === "Claimed" ? [no(type, CLAIMING)] : []));
  const [ready, denied] = readiness(seen, claim, main, others, refusals);
  return [...steps, ready, ...denied];
}

const CLAIMING = { ...REASONS.Claiming, message: "the hostname is being claimed" };

/** Ready when every hostname is, as it is wished for now. */
function readiness(
  seen: Observation,
  claim: Claim,
  main: WantedName,
  others: readonly WantedName[],
  refusals: ReadonlyMap<string, Refusal>,
): readonly [Fact, readonly Fact[]] {
  const own = readyOf(seen, claim, main);
  for (const other of others) {
    const refusal = refusals.get(other.hostname);
    if (own.status !== "True") return [own, denial(refusal)];
    const beside = claimOn(seen, other.hostname);
    const fact =
      refusal !== undefined || beside === undefined ? no("Ready", refusal ?? CLAIMING) : readyOf(seen, beside, other);
    if (fact.status !== "True") return [{ ...fact, message: `${other.hostname}: ${fact.message}` }, denial(refusal)];
  }
  return [own, []];
}

function readyOf({ request }: Observation, claim: Claim, name: WantedName): Fact {
  const isCurrent =
    claim.status?.observedGeneration === claim.metadata.generation && isAsWished(claim, wishOf(request, name));
  const [fact] = mirrored(claim, "Ready") ?? [no("Ready", CLAIMING)];
  if (isCurrent || fact.status !== "True") return fact;
  return no("Ready", { ...REASONS.Updating, message: "what was changed is on its way" });
}

/** While it goes: what its claims say about that. */
function lastFacts(seen: Observation): readonly Fact[] {
  const { own, request } = seen;
  const held = own.flatMap((claim) => mirrored(claim, "Ready") ?? []).find(isHeldFact);
  const hostnames = own.map(({ spec }) => spec.hostname).sort();
  const message = `what was made is being removed: ${hostnames.join(", ")}`;
  const ready = held ?? no("Ready", { ...REASONS.Deleting, message });
  const known = request.status?.conditions ?? [];
  const claim = own[0];
  const steps = STEPS.flatMap(
    (type) => (claim && mirrored(claim, type)) ?? known.filter((each) => each.type === type).map(factOf),
  );
  return [...steps, ready];
}

function isHeldFact({ reason }: Fact): boolean {
  return reason === REASONS.DeletionHeld.reason;
}

function mirrored({ status }: Claim, type: string): readonly [Fact] | undefined {
  const found = status?.conditions?.find((each) => each.type === type);
  return found === undefined ? undefined : [factOf(found)];
}

function factOf({ type, status, reason, message }: Omit<Fact, "status"> & { readonly status: string }): Fact {
  return { type, status: status === "True" || status === "False" ? status : "Unknown", reason, message };
}

function denial(refusal: Refusal | undefined): readonly Fact[] {
  return refusal?.kind === "denied"
    ? [{ type: "Denied", status: "True", reason: refusal.reason, message: refusal.message }]
    : [];
}

function no(type: string, { reason, message }: { readonly reason: string; readonly message: string }): Fact {
  return { type, status: "False", reason, message };
}
