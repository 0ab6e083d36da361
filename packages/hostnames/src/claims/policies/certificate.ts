import { REASONS } from "../../reasons.ts";
import { covers } from "../../names/index.ts";
import {
  certificateOrder,
  certificateRequest,
  DEFAULT_KEY_ALGORITHM,
  hasFirstName,
  isShared,
  MOST_ATTEMPTS,
  pauseBefore,
} from "../certificate-request.ts";
import { remembering, wishOf } from "../claim.ts";
import type { CertificateMemory } from "../claim.ts";
import { ask, remember, rest } from "../decision.ts";
import type { Decision, Fact } from "../decision.ts";
import type { Observation } from "../observation.ts";
import { certificateNames, isOver } from "../certificate-names.ts";
import { isOwn } from "../own-tags.ts";
import { AGAIN_MS, SELDOM_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";

const at = "CertificateRequested";

/** The wish names a certificate: it is taken as it is, and nothing is ever requested. */
export const certificateGiven: Policy = (seen) => {
  const { claim, memory, given } = seen;
  const arn = wishOf(claim).certificate?.arn;
  if (arn === undefined || memory.certificate?.arn === arn) return undefined;
  const serving = memory.certificate?.arn !== undefined;
  if (given === undefined || given === "unknown") {
    const message = `Certificate ${arn} is being looked for.`;
    return rest({ at, status: "Unknown", reason: REASONS.LookingForCertificate, message, serving }, AGAIN_MS);
  }
  const problem = problemOf(given, claim.spec.hostname);
  if (problem === undefined) return choose(seen, { arn, adopted: true });
  return rest(
    { at, reason: REASONS.CertificateUnusable, message: `Certificate ${arn} ${problem}.`, serving },
    SELDOM_MS,
  );
};

function problemOf(given: Exclude<Observation["given"], "unknown" | undefined>, hostname: string): string | undefined {
  if (given === "absent") return "is not there";
  if (given.status !== "ISSUED") return `is ${given.status}, not ISSUED`;
  return given.names.some((name) => covers(name, hostname)) ? undefined : `does not cover ${hostname}`;
}

/** There is neither a certificate nor a request: one that is there is taken, a request of another claim is joined, or one is made. */
export const certificateMissing: Policy = (seen) =>
  seen.memory.certificate?.arn === undefined && seen.memory.certificate?.request === undefined
    ? obtain(seen, 1)
    : undefined;

/** The request is remembered; it is made, or its answer is asked for again: the token makes it one certificate. */
export const requestUnanswered: Policy = (seen) => {
  const request = seen.memory.certificate?.request;
  if (request === undefined || seen.memory.certificate?.arn !== undefined) return undefined;
  const asked = askFor(seen);
  if (asked !== undefined) return asked;
  const { answers } = seen;
  return answers.request?.state === "requested" ? choose(seen, { arn: answers.request.arn, request }) : undefined;
};

/** Somebody has deleted the certificate. */
export const certificateLost: Policy = (seen) => {
  const { certificate, memory, settings } = seen;
  const { arn, adopted, request } = memory.certificate ?? {};
  if (certificate !== "absent") return undefined;
  const message = `Certificate ${arn} is not there any more.`;
  if (adopted === true && wishOf(seen.claim).certificate?.arn !== undefined) {
    return rest({ at, reason: REASONS.CertificateMissing, message }, SELDOM_MS);
  }
  if (settings.drift === "report" && adopted !== true) {
    return rest({ at, reason: REASONS.CertificateMissing, message }, SELDOM_MS);
  }
  return obtain(seen, (request?.attempt ?? 0) + 1);
};

/** The certificate cannot be used, or not any more: another is requested, while this one stays where it is until that is issued. */
export const certificateFailed: Policy = (seen) => {
  const { certificate, coming, memory, now } = seen;
  const { arn, adopted, request } = memory.certificate ?? {};
  if (certificate === undefined || typeof certificate === "string" || !isOver(certificate)) return undefined;
  const failed = `Certificate ${arn} is ${certificate.status}${reasonText(certificate.failureReason)}.`;
  if (adopted === true && wishOf(seen.claim).certificate?.arn !== undefined) {
    return rest({ at, reason: REASONS.CertificateUnusable, message: failed }, SELDOM_MS);
  }
  if (request === undefined) return obtain(seen, 1);
  const asked = askFor(seen);
  if (asked !== undefined) return asked;
  // The request has led to another certificate already, which is on its way; unless that has failed too.
  if (coming === "absent") return obtain(seen, request.attempt + 1);
  if (coming === "unknown")
    return rest({ at, status: "Unknown", reason: REASONS.LookingForCertificate, message: failed }, AGAIN_MS);
  if (coming !== undefined && !isOver(coming)) return undefined;
  const latest = coming ?? certificate;
  const message = `Certificate ${latest.arn} is ${latest.status}${reasonText(latest.failureReason)}.`;
  const fact: Fact = { at: "CertificateIssued", reason: REASONS.CertificateFailed, message };
  // Perhaps another's name is to blame: who shared it gets one alone at once, and this name's attempts are counted from there.
  if (isShared(seen.claim, request)) return obtain(seen, 1);
  if (request.attempt >= MOST_ATTEMPTS) return rest(fact);
  const pause = pauseBefore(request, now);
  return pause > 0 ? rest(fact, pause) : obtain(seen, request.attempt + 1);
};

/** A name of the shared request is not validated: nobody would get the certificate, so this name goes on without it. */
export const bundleBroken: Policy = (seen) => {
  const { certificate, lost } = seen;
  const pending = typeof certificate === "object" && certificate.status === "PENDING_VALIDATION";
  return pending && lost.length > 0 ? obtain(seen, 1) : undefined;
};

/** Asks for the answer to the remembered request. Undefined: it is answered. */
export function askFor({ claim, memory, answers, settings }: Observation): Decision | undefined {
  const request = memory.certificate?.request;
  if (request === undefined) return undefined;
  const answer = answers.request?.token === request.token ? answers.request : undefined;
  const requesting = { at, reason: REASONS.Requesting, message: `Names: ${request.names.join(", ")}` } as const;
  switch (answer?.state) {
    case undefined:
      return ask({ type: "requestCertificate", order: certificateOrder(claim, request, settings.cluster) }, requesting);
    case "waiting":
      return rest(requesting, AGAIN_MS);
    case "refused":
      return rest({ at, reason: REASONS.CertificateRefused, message: answer.error.message }, SELDOM_MS);
    case "failed":
      return rest({ at, reason: REASONS.AwsCallFailed, message: answer.error.message }, AGAIN_MS);
    case "requested":
      return undefined;
  }
}

/** Takes a certificate that is there, joins the request of another claim, or makes one. What serves stays meanwhile. */
export function obtain(seen: Observation, attempt: number): Decision {
  const { claim, memory, sources, answers, settings, now } = seen;
  const looking: Fact = { at, status: "Unknown", reason: REASONS.LookingForCertificate, message: "" };
  if (sources === undefined || sources.reusable === "unknown") return rest(looking, AGAIN_MS);
  if (sources.reusable !== undefined) return choose(seen, reused(seen, sources.reusable.arn));
  if (sources.joinable !== undefined) return choose(seen, { ...kept(seen), request: sources.joinable });
  const { zone } = answers;
  if (zone === undefined) return ask({ type: "readZone" }, looking);
  const { zoneId, hostname } = claim.spec;
  if (zone === "absent") {
    return rest({ at, reason: REASONS.ZoneNotFound, message: `There is no hosted zone ${zoneId}.` }, SELDOM_MS);
  }
  if ("failed" in zone) return rest({ at, reason: REASONS.ZoneLookupFailed, message: zone.failed }, AGAIN_MS);
  if (zone.private) {
    const message = `Zone ${zoneId} is private: ACM cannot see records in it.`;
    return rest({ at, reason: REASONS.PrivateZone, message, denied: true }, SELDOM_MS);
  }
  const { strategy = "Reuse", keyAlgorithm = DEFAULT_KEY_ALGORITHM } = wishOf(claim).certificate ?? {};
  const names = certificateNames(strategy, hostname, zone.name, sources.gathered?.names ?? [hostname]);
  const waitMs = sources.gathered?.waitMs ?? 0;
  if (waitMs > 0) {
    const message = "Names that need a certificate at the same time share one.";
    return rest({ at, reason: REASONS.Gathering, message }, waitMs);
  }
  if (!hasFirstName(names)) {
    const message = `None of ${names.join(", ")} has 64 characters at most, as the first name of a certificate must.`;
    return rest({ at, reason: REASONS.HostnameTooLong, message, denied: true }, SELDOM_MS);
  }
  const uid = claim.metadata.uid ?? "";
  const request = certificateRequest({ cluster: settings.cluster, uid, names, keyAlgorithm, attempt, now });
  const certificate = { ...kept(seen), request };
  return { kind: "commit", lock: `certificates of ${zoneId}`, memory: remembering(memory, { certificate }) };
}

/** Of the certificate that was: what serves, or did, stays on the Gateway until the next is issued. */
function kept({ certificate, memory }: Observation): CertificateMemory {
  const arn = memory.certificate?.arn;
  const serves = typeof certificate === "object" && ["ISSUED", "EXPIRED", "REVOKED"].includes(certificate.status);
  const { adopted } = memory.certificate ?? {};
  return serves && arn !== undefined ? { arn, ...(adopted !== undefined && { adopted }) } : {};
}

function reused({ sources, settings }: Observation, arn: string): CertificateMemory {
  const found = sources?.reusable;
  const own = typeof found === "object" && isOwn(found, settings.cluster);
  return own ? { arn } : { arn, adopted: true };
}

function choose({ memory }: Observation, certificate: CertificateMemory): Decision {
  return remember(remembering(memory, { certificate }));
}

function reasonText(failureReason: string | undefined): string {
  return failureReason === undefined ? "" : `: ${failureReason}`;
}
