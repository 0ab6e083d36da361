import type { CertificateDetail, DomainValidation } from "@gatewright/aws-wire/types/acm";
import { accountOf } from "./arn.ts";
import { hasRecords, isRenewable } from "./progress.ts";
import type { CertificateRecord } from "./records.ts";
import { statusAt } from "./status.ts";
import { validationRecord } from "./validation-record.ts";

/** What is told of a certificate besides its record. */
export interface Seen {
  readonly now: number;
  /** Of the pace. */
  readonly durations: number;
  readonly users: readonly string[];
}

/** A certificate as DescribeCertificate tells it. */
export function certificateDetail(record: CertificateRecord, seen: Seen): CertificateDetail {
  const { phase, renewal } = record;
  const status = statusAt(record, seen.now);
  return {
    CertificateArn: record.arn,
    DomainName: record.names[0],
    SubjectAlternativeNames: record.names,
    ManagedBy: record.managedBy,
    ...(record.validation && { DomainValidationOptions: domainValidations(record, seen) }),
    ...(phase.is === "issued" && {
      Serial: phase.facts.serial,
      Issuer: phase.facts.issuer,
      ...(record.type !== "IMPORTED" && { IssuedAt: phase.at }),
      NotBefore: phase.facts.notBefore,
      NotAfter: phase.facts.notAfter,
    }),
    Subject: phase.is === "issued" ? phase.facts.subject : `CN=${record.names[0]}`,
    ...(record.type === "IMPORTED" && phase.is === "issued" && { ImportedAt: phase.at }),
    CreatedAt: record.createdAt,
    Status: status,
    KeyAlgorithm: spokenAlgorithm(record),
    SignatureAlgorithm: phase.is === "issued" ? phase.facts.signatureAlgorithm : "SHA256WITHRSA",
    InUseBy: seen.users,
    ...(phase.is === "failed" && { FailureReason: phase.reason }),
    Type: record.type,
    ...(renewal && {
      RenewalSummary: {
        RenewalStatus: renewal.status,
        DomainValidationOptions: domainValidations(record, seen, renewal.found),
        UpdatedAt: renewal.updatedAt,
      },
    }),
    KeyUsages: phase.is === "issued" ? phase.facts.keyUsages.map((Name) => ({ Name })) : [],
    ExtendedKeyUsages:
      phase.is === "issued" ? phase.facts.extendedKeyUsages.map(({ name, oid }) => ({ Name: name, OID: oid })) : [],
    CertificateAuthorityArn: record.authorityArn,
    RenewalEligibility: isRenewable(record, seen.users.length > 0) ? "ELIGIBLE" : "INELIGIBLE",
    ...(record.type !== "IMPORTED" && {
      Options: { CertificateTransparencyLoggingPreference: record.transparencyLogging, Export: record.export },
    }),
    CertificateKeyPairOrigin: keyPairOrigin(record),
  };
}

/** `RSA-2048`: with a hyphen in answers, with an underscore in requests. */
export function spokenAlgorithm({ keyAlgorithm }: CertificateRecord): string {
  return keyAlgorithm.replace("_", "-");
}

/** Where the key of a certificate comes from. */
export function keyPairOrigin({ type }: CertificateRecord): string {
  return type === "IMPORTED" ? "CUSTOMER_PROVIDED" : "AWS_MANAGED";
}

/** The state of each name. `found`: of a renewal; else of the request. */
function domainValidations(
  record: CertificateRecord,
  seen: Seen,
  found?: readonly boolean[],
): readonly DomainValidation[] {
  const { validation, names } = record;
  if (validation === undefined) return [];
  return names.map((name, i) => {
    const domain = validation.domains.find(([of]) => of === name)?.[1] ?? name;
    const common = {
      DomainName: name,
      ValidationDomain: domain,
      ValidationStatus:
        found === undefined ? validationStatus(record, i, seen.now) : found[i] ? "SUCCESS" : "PENDING_VALIDATION",
      ValidationMethod: validation.method,
    };
    if (validation.method === "EMAIL") return { ...common, ValidationEmails: mailboxes(domain) };
    if (!hasRecords(record, seen.now, seen.durations)) return common;
    const { name: recordName, value } = validationRecord(accountOf(record.arn), name);
    return { ...common, ResourceRecord: { Name: recordName, Type: "CNAME", Value: value } };
  });
}

function validationStatus(record: CertificateRecord, i: number, now: number): string {
  const { phase } = record;
  if (phase.is === "issued") return "SUCCESS";
  if (phase.is === "failed") return "FAILED";
  if (phase.validated[i] !== null) return "SUCCESS";
  return statusAt(record, now) === "VALIDATION_TIMED_OUT" ? "FAILED" : "PENDING_VALIDATION";
}

/** The five addresses that AWS writes to. */
function mailboxes(domain: string): readonly string[] {
  const host = domain.startsWith("*.") ? domain.slice(2) : domain;
  return ["administrator", "hostmaster", "postmaster", "webmaster", "admin"].map((name) => `${name}@${host}`);
}
