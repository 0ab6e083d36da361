import type { ListCertificatesRequest, Operations, RequestCertificateRequest } from "@gatewright/aws-wire/types/acm";
import type { Caller } from "../caller.ts";
import { byNextToken } from "../listing-ways.ts";
import { pages } from "../pages.ts";
import { serviceCalls } from "../service-calls.ts";
import type { CallOptions } from "../service-calls.ts";

/** `RequestCertificate` gives the same certificate again for an hour: it must have a token. */
const REPEATABLE = [
  "AddTagsToCertificate",
  "DeleteCertificate",
  "DescribeCertificate",
  "ListCertificates",
  "ListTagsForCertificate",
  "RequestCertificate",
] as const;
const ONCE = ["ImportCertificate"] as const;

/** Certificate Manager: each operation as a function, and its listing whole. */
export function acmCalls(call: Caller) {
  type Name = (typeof REPEATABLE)[number] | (typeof ONCE)[number];
  const calls = serviceCalls<Operations, Name>(call, "acm", { repeatable: REPEATABLE, once: ONCE });
  return {
    ...calls,
    requestCertificate: (
      input: RequestCertificateRequest & { readonly IdempotencyToken: string },
      options?: CallOptions,
    ) => calls.requestCertificate(input, options),
    allCertificates: (input: ListCertificatesRequest, options?: CallOptions) =>
      pages({ ...byNextToken(calls.listCertificates), items: (page) => page.CertificateSummaryList }, input, options),
  };
}

/** {@inheritDoc acmCalls} */
export type AcmCalls = ReturnType<typeof acmCalls>;
