import type {
  AcmCertificateMetadata,
  CertificateFilter,
  CertificateFilterStatement,
  CertificateSearchResult,
  X509AttributeFilter,
  X509Attributes,
} from "@gatewright/aws-wire/types/acm";
import { invalid } from "./refusals.ts";

/** Deeper statements are refused: nobody means them. */
const DEEPEST = 10;

type Test = (result: CertificateSearchResult) => boolean;

/** A statement as a test of results. Throws when it does not say exactly one thing at every level. */
export function compileStatement(statement: CertificateFilterStatement | undefined, depth = 0): Test {
  if (statement === undefined) return () => true;
  if (depth > DEEPEST) throw invalid("The filter statement is nested too deeply.");
  const { And, Or, Not, Filter } = statement;
  if ([And, Or, Not, Filter].filter((part) => part !== undefined).length !== 1) {
    throw invalid("A filter statement must have exactly one of And, Or, Not and Filter.");
  }
  const parts = (And ?? Or ?? []).map((part) => compileStatement(part, depth + 1));
  if (And) return (result) => parts.every((test) => test(result));
  if (Or) return (result) => parts.some((test) => test(result));
  if (Not) {
    const inner = compileStatement(Not, depth + 1);
    return (result) => !inner(result);
  }
  return compileFilter(Filter ?? {});
}

function compileFilter({
  CertificateArn,
  X509AttributeFilter: x509,
  AcmCertificateMetadataFilter: metadata,
}: CertificateFilter): Test {
  if ([CertificateArn, x509, metadata].filter((part) => part !== undefined).length !== 1) {
    throw invalid("A filter must have exactly one member.");
  }
  if (CertificateArn !== undefined) return (result) => result.CertificateArn === CertificateArn;
  if (x509) return ({ X509Attributes: attributes = {} }) => matchesX509(attributes, x509);
  return ({ CertificateMetadata }) =>
    matchesMetadata(CertificateMetadata?.AcmCertificateMetadata ?? {}, metadata ?? {});
}

function matchesX509(found: X509Attributes, wanted: X509AttributeFilter): boolean {
  const { Subject, SubjectAlternativeName, NotAfter, NotBefore } = wanted;
  const names = (found.SubjectAlternativeNames ?? []).flatMap(({ DnsName }) =>
    DnsName === undefined ? [] : [DnsName],
  );
  const dns = SubjectAlternativeName?.DnsName;
  return (
    (Subject?.CommonName === undefined || compares(found.Subject?.CommonName ?? "", Subject.CommonName)) &&
    (dns === undefined || names.some((name) => compares(name, dns))) &&
    (wanted.ExtendedKeyUsage === undefined || (found.ExtendedKeyUsages ?? []).includes(wanted.ExtendedKeyUsage)) &&
    (wanted.KeyUsage === undefined || (found.KeyUsages ?? []).includes(wanted.KeyUsage)) &&
    (wanted.KeyAlgorithm === undefined || found.KeyAlgorithm === wanted.KeyAlgorithm) &&
    (wanted.SerialNumber === undefined || found.SerialNumber === wanted.SerialNumber) &&
    (NotAfter === undefined || isWithin(found.NotAfter, NotAfter)) &&
    (NotBefore === undefined || isWithin(found.NotBefore, NotBefore))
  );
}

function matchesMetadata(found: AcmCertificateMetadata, wanted: object): boolean {
  const known = new Map<string, unknown>(Object.entries(found));
  return Object.entries(wanted).every(([name, value]) => value === undefined || known.get(name) === value);
}

function compares(
  text: string,
  { Value, ComparisonOperator }: { readonly Value: string; readonly ComparisonOperator: string },
): boolean {
  const wanted = Value.toLowerCase();
  return ComparisonOperator === "CONTAINS" ? text.includes(wanted) : text === wanted;
}

function isWithin(
  moment: number | undefined,
  { Start, End }: { readonly Start?: number | undefined; readonly End?: number | undefined },
): boolean {
  return moment !== undefined && (Start === undefined || moment >= Start) && (End === undefined || moment <= End);
}
