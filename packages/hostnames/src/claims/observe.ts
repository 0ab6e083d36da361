import { recordKey, sameRecord } from "@gatewright/aws";
import type { Certificate, RecordSet } from "@gatewright/aws";
import { parseTime } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { DomainClaim, Gateway, ListenerSet } from "@gatewright/resources";
import { REASONS } from "../reasons.ts";
import { gatewaysOf } from "../pool/claim-view.ts";
import { gatewayState, objectNames, stillServes } from "../pool/gateway-state.ts";
import type { GatewayObjects } from "../pool/gateway-state.ts";
import type { HostnameSettings } from "../settings.ts";
import type { Answers } from "./answers.ts";
import { ALLOW_DELETIONS_UNTIL, isHeld } from "./brake.ts";
import { carriersBeside } from "./carriers.ts";
import { certificateSources, lostNames } from "./certificate-sources.ts";
import { hasFailed, isOver } from "./certificate-names.ts";
import { ownerOf, recordSet, recordsOf, staysLonger, wishOf } from "./claim.ts";
import type { Claim, ClaimRecord, Memory } from "./claim.ts";
import { isDone } from "./conditions.ts";
import { BY_DELETION, BY_VALIDATION, DELETING } from "./indexes.ts";
import type { GatewayView, Known, Observation, Place } from "./observation.ts";
import type { Step } from "./steps.ts";
import { isIssuedUnproven, provenName, proves } from "./validation-record.ts";
import { standingOf } from "./wanted-certificate.ts";
import type { Cached, ClaimWorld } from "./world.ts";

/** Gathers all that a decision about a claim needs: from the cache and from what zones and certificates know. Makes no call. */
export function observe(
  world: ClaimWorld,
  cached: Cached,
  stored: Claim,
  memory: Memory,
  answers: Answers,
): Observation {
  const { certificates, settings, clock, dns } = world;
  const claim: Claim = { ...stored, status: { conditions: [], ...stored.status, ...memory } };
  const deleting = stored.metadata.deletionTimestamp !== undefined;
  const arn = memory.certificate?.arn;
  const certificate = arn === undefined ? undefined : look(world, claim, memory, arn);
  const requested = answers.request?.state === "requested" ? answers.request : undefined;
  const isComing =
    requested !== undefined && requested.token === memory.certificate?.request?.token && requested.arn !== arn;
  const coming = isComing && arn !== undefined ? look(world, claim, memory, requested.arn) : undefined;
  const given = wishOf(claim).certificate?.arn;
  const lost = deleting ? [] : lostNames(cached, claim, certificate, clock.now());
  const asked = certificate === undefined && memory.certificate?.request !== undefined;
  const unusable = (isUseless(certificate) && !asked) || lost.length > 0;
  const unwanted = standingOf(claim, memory, certificate) !== "wanted";
  // Who brings a certificate, or has asked for one, waits with nobody: a bundle with its name would wait for a record that nobody publishes.
  const failed = [certificate, coming].some((each) => typeof each === "object" && hasFailed(each));
  const needsOne = !deleting && given === undefined && memory.claimedAt !== undefined && (unusable || unwanted);
  if (!needsOne) world.bundler.leave(claim.spec.hostname);
  const serves = certificate === "unknown" || (typeof certificate === "object" && certificate.status === "ISSUED");
  const drifted = deleting ? NONE_DRIFTED : driftedRecords(world, stored, memory);
  const base = { claim, memory, settings, now: clock.now(), answers, certificate, coming, lost };
  return {
    ...base,
    given: given === undefined || given === arn ? undefined : certificates.get(given),
    sources: needsOne ? certificateSources(world, cached, claim, { current: certificate, lost, failed }) : undefined,
    place: deleting || !serves ? undefined : placeOf(world, cached, claim),
    gateway: deleting || memory.gateway === undefined ? undefined : gatewayView(world, cached, claim, memory.gateway),
    drifted,
    published: (record) => !drifted.has(recordKey(record)) && isPublished(stored, record),
    canInspect: dns !== undefined,
    held: deleting && memory.released === undefined && isHeldNow(world, cached, stored),
    ...(deleting ? undoneView(world, cached, claim, memory) : NOT_UNDONE),
  };
}

const NONE_DRIFTED: ReadonlyMap<string, RecordSet | undefined> = new Map();

function isPublished(stored: Claim, record: RecordSet): boolean {
  return (stored.status?.records ?? []).some(
    ({ purpose, ...known }) => sameRecord(known, record) && isDone(stored, stepOf(purpose)),
  );
}

function stepOf(purpose: ClaimRecord["purpose"]): Step {
  return purpose === "alias" ? "DnsAliasReady" : "DnsValidated";
}

type UndoneView = Pick<Observation, "carrying" | "listening" | "neededByOthers">;
const NOT_UNDONE: UndoneView = { carrying: new Map(), listening: true, neededByOthers: new Set() };

function look({ certificates }: ClaimWorld, claim: Claim, memory: Memory, arn: string): Known {
  const known = certificates.get(arn);
  if (known === "unknown" || (known !== "absent" && isAwaited(claim, memory, known))) certificates.interest(arn);
  return known;
}

function isAwaited(claim: Claim, memory: Memory, certificate: Certificate): boolean {
  if (certificate.status === "PENDING_VALIDATION") return true;
  return certificate.validations === undefined && isIssuedUnproven(claim, memory, certificate);
}

function isUseless(certificate: Known | undefined): boolean {
  return certificate === undefined || certificate === "absent" || (certificate !== "unknown" && isOver(certificate));
}

function placeOf({ book }: ClaimWorld, cached: Cached, claim: Claim): Place | undefined {
  const current = claim.status?.gateway;
  const { moveTo } = wishOf(claim);
  const moves = current !== undefined && moveTo !== undefined && moveTo !== current;
  const refusal = moves ? book.refusal(cached, claim) : undefined;
  if (moves && refusal === undefined) return { state: "goes", to: moveTo };
  const place = book.place(cached, claim);
  if (place === undefined)
    return { state: "refused", message: "No Gateway has the labels that gatewaySelector asks for." };
  if (place.gateway !== current) return { state: "goes", to: place.gateway };
  return refusal === undefined ? { state: "stays" } : { state: "refused", message: refusal };
}

function objectsOf(
  { settings, loadBalancerConfiguration }: ClaimWorld,
  cached: Cached,
  claim: Claim,
  name: string,
): GatewayObjects {
  const { edgeNamespace: namespace, listeners } = settings;
  const names = objectNames(name, claim);
  return {
    gateway: cached(Gateway).get({ namespace, name }),
    configuration: cached(loadBalancerConfiguration).get({ namespace, name: names.configuration }),
    listenerSet:
      listeners === "listener-sets" ? cached(ListenerSet).get({ namespace, name: names.listenerSet }) : undefined,
  };
}

function gatewayView(world: ClaimWorld, cached: Cached, claim: Claim, name: string): GatewayView {
  const { attached, loadBalancer, reason, message } = gatewayState(claim, objectsOf(world, cached, claim, name));
  const known = claim.status?.loadBalancer;
  const settling =
    !attached && isDone(claim, "ListenerAttached") && known !== undefined && loadBalancer?.dnsName === known.dnsName;
  if (!settling) world.settling.settled(ownerOf(claim));
  const settlingMs = settling ? world.settling.leftMs(ownerOf(claim)) : 0;
  const zoneId = loadBalancer?.zoneId;
  return {
    attached: attached || settlingMs > 0,
    ...(settlingMs > 0 && { settlingMs }),
    ...(loadBalancer !== undefined &&
      zoneId !== undefined && {
        loadBalancer: { dnsName: loadBalancer.dnsName, zoneId, dualStack: loadBalancer.dualStack },
      }),
    reason: reason === REASONS.GatewayNotProgrammed.reason ? REASONS.GatewayNotProgrammed : REASONS.WaitingForGateway,
    message,
  };
}

/** Only of records that were there: what is on its way is looked after by those who ask for it. */
function driftedRecords(
  { zones }: ClaimWorld,
  stored: Claim,
  memory: Memory,
): ReadonlyMap<string, RecordSet | undefined> {
  const drifted = new Map<string, RecordSet | undefined>();
  const reading = zones.reading(stored.spec.zoneId);
  if (reading === undefined) return drifted;
  for (const { purpose, ...record } of memory.records ?? []) {
    if (!isDone(stored, stepOf(purpose))) continue;
    const found = reading.record(record.name, record.type, record.setIdentifier);
    const suffices = purpose === "validation" ? proves : sameRecord;
    if (found === undefined || !suffices(found, record)) drifted.set(recordKey(record), found);
  }
  return drifted;
}

function isHeldNow({ settings, clock }: ClaimWorld, cached: Cached, claim: Claim): boolean {
  const edge = cached(core.Namespace).get({ name: settings.edgeNamespace });
  return isHeld(claim, {
    deleting: deletedAround(cached, claim, settings.brake),
    allowUntil: edge?.metadata.annotations?.[ALLOW_DELETIONS_UNTIL],
    now: clock.now(),
    settings: settings.brake,
  });
}

/** Those that are being deleted, no more of them than it takes to see a burst: in a large one each looks at a few. */
function* deletedAround(
  cached: Cached,
  claim: Claim,
  { deletions, windowMs }: HostnameSettings["brake"],
): Iterable<Claim> {
  const own = deletedAt(claim);
  let close = 0;
  for (const other of cached(DomainClaim).byIndex(BY_DELETION, DELETING)) {
    yield other;
    if (Math.abs(deletedAt(other) - own) <= windowMs / 2 && ++close > deletions) return;
  }
}

function deletedAt({ metadata }: Claim): number {
  return parseTime(metadata.deletionTimestamp ?? "") ?? 0;
}

function undoneView(world: ClaimWorld, cached: Cached, claim: Claim, memory: Memory): UndoneView {
  const carrying = new Map<string, readonly Certificate[] | "unknown">();
  const neededByOthers = new Set<string>();
  if (memory.released?.step === "validation") {
    for (const { name } of recordsOf(memory, "validation").map(recordSet)) {
      carrying.set(name, carriersBeside(world, cached, claim, provenName({ name })));
      if (
        cached(DomainClaim)
          .byIndex(BY_VALIDATION, name)
          .some((other) => staysLonger(other, claim))
      )
        neededByOthers.add(name);
    }
  }
  const listening = gatewaysOf(claim).some((gateway) => stillServes(claim, objectsOf(world, cached, claim, gateway)));
  return { carrying, neededByOthers, listening };
}
