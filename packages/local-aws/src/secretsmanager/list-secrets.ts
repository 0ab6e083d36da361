import type { Filter, ListSecretsRequest } from "@gatewright/aws-wire/types/secretsmanager";
import { keyedPage } from "../keyed-page.ts";
import type { KeyedPage } from "../keyed-page.ts";
import type { SecretRecord } from "./records.ts";
import { badToken, invalidParameter } from "./refusals.ts";

const USUAL_PAGE = 100;
/** Moments as texts of one length, so that they sort as texts do. */
const DIGITS = 16;

/** A page of secrets that match all filters, in the order that was asked for; by name where that does not tell them apart. */
export function listSecrets(secrets: readonly SecretRecord[], input: ListSecretsRequest): KeyedPage<SecretRecord> {
  const { Filters: filters = [], MaxResults: size = USUAL_PAGE, NextToken: token } = input;
  const sortKey = (secret: SecretRecord): string => `${sortText(secret, input)} ${secret.name}`;
  const found = secrets
    .filter(({ deletion }) => deletion === undefined || input.IncludePlannedDeletion === true)
    .filter((secret) => filters.every((filter) => matches(secret, filter)))
    .toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
  const page = keyedPage(found, sortKey, { size, token });
  if (page === undefined) throw badToken();
  return page;
}

function sortText(secret: SecretRecord, { SortBy: by, SortOrder: order }: ListSecretsRequest): string {
  if (by === "name") return "";
  const moment =
    by === "last-accessed-date"
      ? (secret.accessedAt ?? 0)
      : by === "last-changed-date"
        ? secret.changedAt
        : secret.createdAt;
  // The newest are told first unless it is asked otherwise.
  const ascending = order === "asc" ? moment : Number.MAX_SAFE_INTEGER - moment;
  return String(ascending).padStart(DIGITS, "0");
}

/** Whether one of the values of a filter fits. A value that begins with an exclamation mark must not. */
function matches(secret: SecretRecord, { Key: key, Values: values = [] }: Filter): boolean {
  if (key === undefined) throw invalidParameter("A filter must have a key.");
  const texts = textsFor(secret, key);
  return values.some((value) =>
    value.startsWith("!") ? !texts.some(fits(key, value.slice(1))) : texts.some(fits(key, value)),
  );
}

function fits(key: string, value: string): (text: string) => boolean {
  if (key === "all" || key === "description") {
    const words = value.toLowerCase().split(/\s+/).filter(Boolean);
    return (text) => words.every((word) => text.toLowerCase().includes(word));
  }
  return (text) => text.startsWith(value);
}

function textsFor({ name, description = "", tags, region }: SecretRecord, key: string): readonly string[] {
  switch (key) {
    case "name":
      return [name];
    case "description":
      return [description];
    case "tag-key":
      return tags.map(([tag]) => tag);
    case "tag-value":
      return tags.map(([, value]) => value);
    case "primary-region":
      return [region];
    case "owning-service":
      return [];
    default:
      return [name, description, ...tags.flat()];
  }
}
