import type {
  CertificateSummary,
  Filters,
  ListCertificatesRequest,
  ListCertificatesResponse,
} from "@gatewright/aws-wire/types/acm";
import { keyPairOrigin, spokenAlgorithm } from "./certificate-detail.ts";
import type { CertificateRecord } from "./records.ts";
import { isRenewable } from "./progress.ts";
import { page } from "./page.ts";
import { invalid } from "./refusals.ts";
import { statusAt } from "./status.ts";

const LARGEST = 1_000;
const MOST_NAMES = 100;
/** What is listed when nobody says which key types; others have to be asked for. */
const DEFAULT_KEY_TYPES = ["RSA_1024", "RSA_2048"];
const LONGEST_MOMENT = 15;

/** What is seen while a list is made. */
export interface Sight {
  readonly now: number;
  readonly inUse: (arn: string) => boolean;
}

/** A page of summaries, in the order of ARNs unless another is asked for. */
export function listCertificates(
  records: readonly CertificateRecord[],
  input: ListCertificatesRequest,
  sight: Sight,
): ListCertificatesResponse {
  const {
    SortBy,
    SortOrder,
    CertificateStatuses: statuses = [],
    CertificateKeyPairOrigins: origins = [],
    Includes = {},
  } = input;
  if ((SortBy === undefined) !== (SortOrder === undefined))
    throw invalid("SortBy and SortOrder must be given together.");
  const wanted = records.filter(
    (record) =>
      (statuses.length === 0 || statuses.includes(statusAt(record, sight.now))) &&
      (origins.length === 0 || origins.includes(keyPairOrigin(record))) &&
      isIncluded(record, Includes),
  );
  const keyOf = orderOf(SortBy, SortOrder);
  const ordered = wanted.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const { items, nextToken } = page(ordered, keyOf, input.NextToken, input.MaxItems ?? LARGEST);
  return { CertificateSummaryList: items.map((record) => summaryOf(record, sight)), NextToken: nextToken };
}

function orderOf(by: string | undefined, order: string | undefined): (record: CertificateRecord) => string {
  if (by === undefined) return ({ arn }) => arn;
  const farthest = 10 ** LONGEST_MOMENT - 1;
  return ({ arn, createdAt }) =>
    `${String(order === "DESCENDING" ? farthest - createdAt : createdAt).padStart(LONGEST_MOMENT, "0")}|${arn}`;
}

function isIncluded(
  record: CertificateRecord,
  { keyTypes, keyUsage, extendedKeyUsage, exportOption, managedBy }: Filters,
): boolean {
  const facts = record.phase.is === "issued" ? record.phase.facts : undefined;
  const usages = facts?.keyUsages ?? [];
  const extended = facts?.extendedKeyUsages.map(({ name }) => name) ?? [];
  return (
    (keyTypes ?? DEFAULT_KEY_TYPES).includes(record.keyAlgorithm) &&
    (keyUsage === undefined || keyUsage.includes("ANY") || keyUsage.every((each) => usages.includes(each))) &&
    (extendedKeyUsage === undefined ||
      extendedKeyUsage.includes("ANY") ||
      extendedKeyUsage.every((each) => extended.includes(each))) &&
    (exportOption === undefined || exportOption === record.export) &&
    (managedBy === undefined || managedBy === record.managedBy)
  );
}

function summaryOf(record: CertificateRecord, { now, inUse }: Sight): CertificateSummary {
  const { phase } = record;
  const used = inUse(record.arn);
  return {
    CertificateArn: record.arn,
    DomainName: record.names[0],
    SubjectAlternativeNameSummaries: record.names.slice(0, MOST_NAMES),
    HasAdditionalSubjectAlternativeNames: record.names.length > MOST_NAMES,
    Status: statusAt(record, now),
    Type: record.type,
    KeyAlgorithm: spokenAlgorithm(record),
    KeyUsages: phase.is === "issued" ? phase.facts.keyUsages : [],
    ExtendedKeyUsages: phase.is === "issued" ? phase.facts.extendedKeyUsages.map(({ name }) => name) : [],
    ExportOption: record.export,
    InUse: used,
    Exported: record.exported,
    RenewalEligibility: isRenewable(record, used) ? "ELIGIBLE" : "INELIGIBLE",
    ...(phase.is === "issued" && {
      NotBefore: phase.facts.notBefore,
      NotAfter: phase.facts.notAfter,
      ...(record.type === "IMPORTED" ? { ImportedAt: phase.at } : { IssuedAt: phase.at }),
    }),
    CreatedAt: record.createdAt,
    ManagedBy: record.managedBy,
    CertificateKeyPairOrigin: keyPairOrigin(record),
  };
}
