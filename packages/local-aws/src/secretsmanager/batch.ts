import type { BatchGetSecretValueRequest } from "@gatewright/aws-wire/types/secretsmanager";
import { listSecrets } from "./list-secrets.ts";
import type { Place } from "./records.ts";
import { invalidParameter } from "./refusals.ts";
import type { SecretStore } from "./store.ts";

const USUAL_PAGE = 20;

/** Which secrets a batch is about: those that it names, or a page of those that match its filters. */
export function batchOf(
  store: SecretStore,
  place: Place,
  { SecretIdList: ids, Filters, MaxResults, NextToken }: BatchGetSecretValueRequest,
): { readonly ids: readonly string[]; readonly next: string | undefined } {
  if ((ids === undefined) === (Filters === undefined)) {
    throw invalidParameter("Either 'SecretIdList' or 'Filters' must be provided, but not both.");
  }
  if (ids === undefined) {
    const { items, next } = listSecrets(store.secretsIn(place), {
      Filters,
      MaxResults: MaxResults ?? USUAL_PAGE,
      NextToken,
    });
    return { ids: items.map(({ arn }) => arn), next };
  }
  if (MaxResults !== undefined || NextToken !== undefined) {
    throw invalidParameter("'Filters' not specified. 'Filters' must also be specified when 'MaxResults' is provided.");
  }
  return { ids, next: undefined };
}
