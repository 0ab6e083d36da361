import type { Immutable } from "@gatewright/kube";
import { DomainClaim, Gateway, GatewayHostnameRequest } from "@gatewright/resources";
import type { NextStep } from "../answer.ts";
import type { Cause } from "../chain.ts";
import type { AnyCondition } from "../condition-state.ts";
import { kubectl } from "../kubectl.ts";
import type { Known } from "../known.ts";
import { conditionLink, link, unreadLink } from "../link.ts";
import { subjectOf, subjectOfObject, subjectText } from "../subject.ts";
import { gatewayLink } from "./gateway-state.ts";
import { objectLink } from "./object-link.ts";
import { validationLink } from "./validation-record.ts";

type Request = Immutable<GatewayHostnameRequest>;
type Claim = Immutable<DomainClaim>;

const WORDS = ["hostnames", "found"] as const;

/** The steps of a hostname, in their order: the title, and the condition that says how it is. */
const STEPS = [
  ["Claim", "Claimed"],
  ["Certificate request", "CertificateRequested"],
  ["Validation record", "DnsValidated"],
  ["Certificate", "CertificateIssued"],
  ["Listener", "ListenerAttached"],
  ["DNS alias", "DnsAliasReady"],
] as const;

/** A request for a hostname and all that stands behind it, but what a look from outside shows. */
export function requestLink(known: Known, request: Request, on: readonly Cause[] = []): Cause {
  const claim = claimOf(known, request);
  const steps = stepsOf(known, request.status?.conditions ?? [], request, claim);
  const isBegun = request.status?.conditions !== undefined;
  return objectLink(withThrottling(request), {
    words: WORDS,
    now: known.now,
    also: moreOf(request.status?.conditions?.find(({ type }) => type === "Ready")?.reason ?? "", request),
    on: isBegun ? [...steps, ...on] : [],
  });
}

function withThrottling(request: Request): Request {
  const { status } = request;
  if (status?.conditions === undefined) return request;
  return { ...request, status: { ...status, conditions: status.conditions.map(throttled) as never } };
}

/** A claim by itself: for whoever may not see the request. */
export function claimLink(known: Known, claim: Claim): Cause {
  const { namespace, name } = claim.spec.ownerRef;
  const request = known.get(GatewayHostnameRequest, { namespace, name });
  if (request.state === "present") {
    const held = objectLink(claim, { words: WORDS, now: known.now });
    return { ...held, on: [requestLink(known, request.object)] };
  }
  const title = `GatewayHostnameRequest ${name}`;
  const owner =
    request.state === "unknown"
      ? unreadLink(title, request.problem, subjectOf(GatewayHostnameRequest, { namespace, name }))
      : link({
          title,
          state: "broken",
          reason: "OwnerMissing",
          message: "The request of this claim is gone.",
          words: WORDS,
        });
  return objectLink(claim, { words: WORDS, now: known.now, on: [owner] });
}

/** Who holds the name, as far as that may be read: a detail only, since the request has the same conditions. */
function claimOf(known: Known, { spec }: Request): Claim | undefined {
  const hostname = spec.hostname.toLowerCase().replace(/\.$/, "");
  const seen = known.list(DomainClaim, { fieldSelector: `spec.hostname=${hostname}` });
  return seen.state === "known" ? seen.items[0] : undefined;
}

function stepsOf(
  known: Known,
  conditions: readonly AnyCondition[],
  request: Request,
  claim: Claim | undefined,
): readonly Cause[] {
  const links: Cause[] = [];
  let before: string | undefined;
  for (const [title, type] of STEPS) {
    const condition = conditions.find((each) => each.type === type);
    if (before !== undefined && (condition === undefined || condition.status !== "True")) {
      links.push(link({ title, state: "waiting", reason: "", message: `Comes after ${before}.` }));
      continue;
    }
    const told = condition && throttled(condition);
    const step = told && stepLink(known, title, type, told, request, claim);
    if (step === undefined) continue;
    links.push(step);
    if (step.state !== "ok" && step.state !== "warning") before ??= title.toLowerCase();
  }
  return links;
}

/** A call that failed because there were too many passes by itself, and is no matter of rights. */
function throttled(condition: AnyCondition): AnyCondition {
  const isFailed = condition.reason === "AwsCallFailed" || condition.reason === "ZoneLookupFailed";
  return isFailed && THROTTLED.test(condition.message ?? "") ? { ...condition, reason: "Throttled" } : condition;
}

const THROTTLED =
  /\b(?:Throttl\w*|RequestThrottled\w*|TooManyRequests\w*|RequestLimitExceeded|PriorRequestNotComplete|Rate exceeded)/;

function stepLink(
  known: Known,
  title: string,
  type: (typeof STEPS)[number][1],
  condition: AnyCondition,
  request: Request,
  claim: Claim | undefined,
): Cause {
  const { reason = "" } = condition;
  const { generation } = request.metadata;
  const about = { title, condition, generation, words: WORDS, now: known.now, also: moreOf(reason, request) };
  switch (type) {
    case "Claimed": {
      const subject = claim && subjectOfObject(claim);
      return conditionLink({ ...about, ...(subject !== undefined && { subject }), on: holderLinks(reason, claim) });
    }
    case "DnsValidated":
      return validationLink(known, conditionLink(about), claim);
    case "ListenerAttached":
      return conditionLink({ ...about, on: gatewayLinks(known, request, claim) });
    default:
      return conditionLink(about);
  }
}

function holderLinks(reason: string, claim: Claim | undefined): readonly Cause[] {
  if (reason !== "ClaimedByAnother" || claim === undefined) return [];
  const { namespace, name } = claim.spec.ownerRef;
  const holder = subjectOf(GatewayHostnameRequest, { namespace, name });
  const next: readonly NextStep[] = [
    { text: "Choose another hostname, or ask its holder to give it up; this request is tried again when it is free." },
    { text: "See how it is held.", command: kubectl.why(holder) },
  ];
  const { claimedAt: since } = claim.status ?? {};
  const message = `${claim.spec.hostname} is held by ${subjectText(holder)}.`;
  const subject = subjectOfObject(claim);
  return [
    link({ title: `DomainClaim ${claim.metadata.name}`, subject, state: "broken", reason, message, since, next }),
  ];
}

/** The Gateway that serves the hostname, as far as it may be read. */
function gatewayLinks(known: Known, { status }: Request, claim: Claim | undefined): readonly Cause[] {
  const name = status?.assignedGateway ?? claim?.status?.gateway;
  const namespace = status?.assignedGatewayNamespace;
  if (name === undefined || namespace === undefined) return [];
  const seen = known.get(Gateway, { namespace, name });
  if (seen.state === "unknown") return [];
  const subject = subjectOf(Gateway, { namespace, name });
  if (seen.state === "present") return [gatewayLink(seen.object, known.now, status?.hostname)];
  const message = "It is not there, and is being made.";
  return [link({ title: `Gateway ${name}`, subject, state: "waiting", reason: "NotFound", message, next: [] })];
}

/** Commands that go with a reason. */
function moreOf(reason: string, { spec }: Request): readonly NextStep[] {
  const domain = spec.hostname.split(".").slice(-2).join(".");
  switch (reason) {
    case "ZoneNotFound":
    case "HostnameNotInZone":
    case "PrivateZone":
      return [
        {
          text: `See which zones there are for ${domain}.`,
          command: `aws route53 list-hosted-zones-by-name --dns-name ${domain}`,
        },
      ];
    case "ClaimedByAnother":
    case "OverlapsAnother":
      return [{ text: "See who holds which name.", command: "kubectl get domainclaims" }];
    case "RecordConflict":
    case "RecordRefused":
    case "RecordDrifted":
      return [
        {
          text: "See the records of the zone.",
          command: `aws route53 list-resource-record-sets --hosted-zone-id ${spec.zoneId}`,
        },
      ];
    default:
      return [];
  }
}
