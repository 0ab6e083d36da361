import type { CertificateDetail, CertificateSummary, DomainValidation } from "@gatewright/aws-wire/types/acm";
import type { Certificate, NameValidation } from "./certificate.ts";

/** A certificate as a listing tells it; undefined when it does not even say which. */
export function fromSummary(summary: CertificateSummary): Certificate | undefined {
  const { CertificateArn: arn, Status: status = "", Type: type = "", KeyAlgorithm, NotAfter: notAfter } = summary;
  if (arn === undefined) return undefined;
  return {
    arn,
    status,
    type,
    names: namesOf(summary.DomainName, summary.SubjectAlternativeNameSummaries),
    inUse: summary.InUse ?? false,
    ...(KeyAlgorithm !== undefined && { keyAlgorithm: asRequested(KeyAlgorithm) }),
    ...(notAfter !== undefined && { notAfter }),
  };
}

/** A certificate as a describe tells it: all but its tags. */
export function fromDetail(arn: string, detail: CertificateDetail): Certificate {
  const {
    Status: status = "",
    Type: type = "",
    KeyAlgorithm,
    NotAfter: notAfter,
    FailureReason,
    RenewalSummary,
  } = detail;
  return {
    arn,
    status,
    type,
    names: namesOf(detail.DomainName, detail.SubjectAlternativeNames),
    inUse: (detail.InUseBy ?? []).length > 0,
    ...(KeyAlgorithm !== undefined && { keyAlgorithm: asRequested(KeyAlgorithm) }),
    ...(notAfter !== undefined && { notAfter }),
    validations: (detail.DomainValidationOptions ?? []).map(validationOf),
    ...(FailureReason !== undefined && { failureReason: FailureReason }),
    ...(RenewalSummary !== undefined && {
      renewal: {
        status: RenewalSummary.RenewalStatus,
        ...(RenewalSummary.RenewalStatusReason !== undefined && { reason: RenewalSummary.RenewalStatusReason }),
        validations: RenewalSummary.DomainValidationOptions.map(validationOf),
      },
    }),
  };
}

function validationOf({ DomainName, ValidationStatus = "", ResourceRecord: record }: DomainValidation): NameValidation {
  return {
    name: DomainName.toLowerCase(),
    status: ValidationStatus,
    ...(record !== undefined && { record: { name: canonical(record.Name), value: record.Value } }),
  };
}

function namesOf(first: string | undefined, others: readonly string[] = []): readonly string[] {
  const names = first === undefined ? others : [first, ...others];
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

function canonical(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

/** Answers say `RSA-2048` for what requests call `RSA_2048`. */
function asRequested(algorithm: string): string {
  return algorithm.replace("-", "_");
}
