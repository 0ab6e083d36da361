import { hash } from "node:crypto";
import type { RequestCertificateRequest } from "@gatewright/aws-wire/types/acm";
import { uuid } from "@gatewright/ports";
import type { AwsWorld } from "../world.ts";
import { certificatePrefix } from "./arn.ts";
import type { Place } from "./arn.ts";
import { namesOf } from "./domain-names.ts";
import { KEY_TYPES } from "./issue.ts";
import type { CertificateRecord } from "./records.ts";
import { invalid, invalidDomains, invalidParameter, patternMismatch } from "./refusals.ts";
import type { RequestQuota } from "./request-quota.ts";
import { placeKey, TOKEN_LIFE } from "./store.ts";
import type { AcmStore } from "./store.ts";
import { withTags } from "./tag-rules.ts";

/**
 * Asks for a certificate. The same token with the same parameters gives the same certificate for an hour; with other parameters it
 * is another request, as it is for AWS.
 */
export async function requestCertificate(
  world: AwsWorld,
  store: AcmStore,
  quota: RequestQuota,
  mostNames: number,
  place: Place,
  input: RequestCertificateRequest,
): Promise<{ readonly CertificateArn: string }> {
  const now = world.clock.now();
  const record = recordOf(world, mostNames, place, input, now);
  const { IdempotencyToken: token } = input;
  const tokenKey = token === undefined ? undefined : `${placeKey(place)}${token}|${fingerprint(record)}`;
  if (tokenKey !== undefined) {
    const remembered = store.tokens.get(tokenKey);
    const known =
      remembered !== undefined && now < remembered.at + TOKEN_LIFE && store.certificates.get(remembered.arn);
    if (known) return { CertificateArn: known.arn };
  }
  quota.check(place, "issued", now);
  await store.commit((commit) => {
    quota.add(commit, place, record);
    if (tokenKey !== undefined) commit.put(store.tokens, tokenKey, { arn: record.arn, at: now });
  });
  return { CertificateArn: record.arn };
}

function recordOf(
  world: AwsWorld,
  mostNames: number,
  place: Place,
  input: RequestCertificateRequest,
  now: number,
): CertificateRecord {
  const {
    DomainName,
    SubjectAlternativeNames = [],
    IdempotencyToken,
    Options,
    KeyAlgorithm = "RSA_2048",
    Tags = [],
  } = input;
  if (IdempotencyToken !== undefined && !/^\w+$/.test(IdempotencyToken)) {
    throw patternMismatch(IdempotencyToken, "idempotencyToken", "\\w+");
  }
  const names = namesOf(DomainName, SubjectAlternativeNames, mostNames);
  const authorityArn = input.CertificateAuthorityArn;
  if (authorityArn === undefined && ![...KEY_TYPES.keys()].some((name) => name === KeyAlgorithm)) {
    throw invalidParameter(`The key algorithm ${KeyAlgorithm} is not supported for public certificates.`);
  }
  return {
    arn: `${certificatePrefix(place)}${uuid(world.random)}`,
    type: authorityArn === undefined ? "AMAZON_ISSUED" : "PRIVATE",
    createdAt: now,
    names,
    keyAlgorithm: KeyAlgorithm,
    ...(authorityArn === undefined ? { validation: validationOf(input, names) } : { authorityArn }),
    transparencyLogging: Options?.CertificateTransparencyLoggingPreference ?? "ENABLED",
    export: Options?.Export ?? "DISABLED",
    exported: false,
    ...(input.ManagedBy !== undefined && { managedBy: input.ManagedBy }),
    // There are no private authorities here that could sign.
    phase:
      authorityArn === undefined
        ? { is: "pending", validated: names.map(() => null) }
        : { is: "failed", at: now, reason: "PCA_RESOURCE_NOT_FOUND" },
    tags: withTags([], Tags),
  };
}

function validationOf(
  { ValidationMethod: method = "EMAIL", DomainValidationOptions: options = [] }: RequestCertificateRequest,
  names: readonly string[],
): NonNullable<CertificateRecord["validation"]> {
  if (method !== "DNS" && method !== "EMAIL") throw invalid(`The validation method ${method} is only for CloudFront.`);
  const domains = options.map(({ DomainName, ValidationDomain }) => {
    const [name, domain] = [DomainName.toLowerCase(), ValidationDomain.toLowerCase()];
    if (!names.includes(name)) throw invalidDomains(`${DomainName} is not a domain name of the request.`);
    if (name !== domain && !name.endsWith(`.${domain}`)) {
      throw invalidDomains(`The validation domain ${ValidationDomain} is not a superdomain of ${DomainName}.`);
    }
    return [name, domain] as const;
  });
  return { method, domains };
}

/** What makes two requests with one token the same. Tags are not part of it. */
function fingerprint({
  names,
  keyAlgorithm,
  validation,
  authorityArn,
  transparencyLogging,
  export: exported,
  managedBy,
}: CertificateRecord): string {
  const parts = [
    names,
    keyAlgorithm,
    validation ?? null,
    authorityArn ?? null,
    transparencyLogging,
    exported,
    managedBy ?? null,
  ];
  return hash("sha256", JSON.stringify(parts), "hex");
}
