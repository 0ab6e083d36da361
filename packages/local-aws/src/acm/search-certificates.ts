import type {
  CertificateSearchResult,
  SearchCertificatesRequest,
  SearchCertificatesResponse,
} from "@gatewright/aws-wire/types/acm";
import { keyPairOrigin } from "./certificate-detail.ts";
import type { Sight } from "./list-certificates.ts";
import { page } from "./page.ts";
import { isRenewable } from "./progress.ts";
import type { CertificateRecord } from "./records.ts";
import { compileStatement } from "./search-filter.ts";
import { statusAt } from "./status.ts";

const DEFAULT_SIZE = 100;
const LONGEST_MOMENT = 15;
const FARTHEST = 10 ** LONGEST_MOMENT - 1;

/** A page of the certificates that a filter statement matches; the newest last unless another order is asked for. */
export function searchCertificates(
  records: readonly CertificateRecord[],
  input: SearchCertificatesRequest,
  sight: Sight,
): SearchCertificatesResponse {
  const matches = compileStatement(input.FilterStatement);
  const results = records.map((record) => resultOf(record, sight)).filter(matches);
  const descending = input.SortOrder === "DESCENDING";
  const ranked = results
    .map((result) => ({ result, rank: rankOf(result, input.SortBy ?? "CREATED_AT") }))
    .toSorted(
      (one, other) =>
        order(one.rank, other.rank) * (descending ? -1 : 1) ||
        order(one.result.CertificateArn, other.result.CertificateArn),
    );
  // The place of each is what its page token names: texts do not have to be turned around for descending orders then.
  const numbered = ranked.map(({ result }, i) => ({ result, key: String(i).padStart(9, "0") }));
  const { items, nextToken } = page(numbered, ({ key }) => key, input.NextToken, input.MaxResults ?? DEFAULT_SIZE);
  return { Results: items.map(({ result }) => result), NextToken: nextToken };
}

function resultOf(record: CertificateRecord, { now, inUse }: Sight): CertificateSearchResult {
  const { phase, names } = record;
  const facts = phase.is === "issued" ? phase.facts : undefined;
  const used = inUse(record.arn);
  return {
    CertificateArn: record.arn,
    X509Attributes: {
      ...(facts && { Issuer: { CommonName: facts.issuer } }),
      Subject: { CommonName: names[0] },
      SubjectAlternativeNames: names.map((DnsName) => ({ DnsName })),
      ExtendedKeyUsages: facts?.extendedKeyUsages.map(({ name }) => name) ?? [],
      KeyAlgorithm: record.keyAlgorithm,
      KeyUsages: facts?.keyUsages ?? [],
      SerialNumber: facts?.serial,
      NotAfter: facts?.notAfter,
      NotBefore: facts?.notBefore,
    },
    CertificateMetadata: {
      AcmCertificateMetadata: {
        CreatedAt: record.createdAt,
        Exported: record.exported,
        ...(phase.is === "issued" && (record.type === "IMPORTED" ? { ImportedAt: phase.at } : { IssuedAt: phase.at })),
        InUse: used,
        RenewalEligibility: isRenewable(record, used) ? "ELIGIBLE" : "INELIGIBLE",
        Status: statusAt(record, now),
        RenewalStatus: record.renewal?.status,
        Type: record.type,
        ExportOption: record.export,
        ManagedBy: record.managedBy,
        ValidationMethod: record.validation?.method,
        CertificateKeyPairOrigin: keyPairOrigin(record),
      },
    },
  };
}

/** What a result is ordered by, as a text; those without it come last. */
function rankOf({ CertificateArn, X509Attributes, CertificateMetadata }: CertificateSearchResult, by: string): string {
  const acm = CertificateMetadata?.AcmCertificateMetadata;
  const texts: Readonly<Record<string, string | undefined>> = {
    STATUS: acm?.Status,
    RENEWAL_STATUS: acm?.RenewalStatus,
    TYPE: acm?.Type,
    RENEWAL_ELIGIBILITY: acm?.RenewalEligibility,
    MANAGED_BY: acm?.ManagedBy,
    EXPORT_OPTION: acm?.ExportOption,
    VALIDATION_METHOD: acm?.ValidationMethod,
    CERTIFICATE_KEY_PAIR_ORIGIN: acm?.CertificateKeyPairOrigin,
    KEY_ALGORITHM: X509Attributes?.KeyAlgorithm,
    CERTIFICATE_ARN: CertificateArn,
    COMMON_NAME: X509Attributes?.Subject?.CommonName,
    EXPORTED: String(acm?.Exported),
    IN_USE: String(acm?.InUse),
    CREATED_AT: moment(acm?.CreatedAt),
    ISSUED_AT: moment(acm?.IssuedAt),
    IMPORTED_AT: moment(acm?.ImportedAt),
    NOT_AFTER: moment(X509Attributes?.NotAfter),
    NOT_BEFORE: moment(X509Attributes?.NotBefore),
  };
  return (Object.hasOwn(texts, by) ? texts[by] : undefined) ?? "~";
}

function moment(ms: number | undefined): string {
  return String(ms ?? FARTHEST).padStart(LONGEST_MOMENT, "0");
}

function order(one = "", other = ""): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
