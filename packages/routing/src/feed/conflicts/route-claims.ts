import type { ExaminedMatch, FieldMatch, OperationMatch, PathMatch } from "@gatewright/gateway/examine";
import type { Claim } from "./claim.ts";

/**
 * What a route wants for itself: one claim for each match, host and method. Two routes have a claim in common when both match exactly
 * the same requests by it and neither goes before the other; nested prefixes, other headers or other hosts are other claims.
 */
export function routeClaims(matches: readonly ExaminedMatch[]): readonly Claim[] {
  const claims = new Map<string, Claim>();
  for (const match of matches) {
    for (const method of match.methods ?? [undefined]) {
      const claim = claimOf(match, method);
      claims.set(claim.key, claim);
    }
  }
  return [...claims.values()];
}

function claimOf(match: ExaminedMatch, method: string | undefined): Claim {
  const { host, path, headers, query, grpc, operation } = match;
  const key = JSON.stringify([
    host ?? "",
    pathKey(path),
    method ?? "",
    fieldKeys(headers),
    fieldKeys(query),
    grpc ?? "",
    operationKey(operation),
  ]);
  const conditions = [...headers, ...query].map(({ name }) => name).join(", ");
  const text = [
    ...(method === undefined ? [] : [method]),
    pathText(path),
    ...(host === undefined ? [] : [`of ${host}`]),
    ...(conditions === "" ? [] : [`with ${conditions}`]),
  ].join(" ");
  return { key: `requests ${key}`, text };
}

/** `/a` and `/a/` are the same prefix; names in templates make no difference. */
function pathKey(path: PathMatch): readonly unknown[] {
  if (path.type === "prefix") return ["prefix", path.value === "/" ? "/" : path.value.replace(/\/$/, "")];
  if (path.type === "template") return ["template", path.value.replaceAll(/\{[^{}:/]*(?=[}:])/g, "{"), path.prefix];
  return [path.type, path.value];
}

function pathText(path: PathMatch): string {
  if (path.type === "exact") return path.value;
  if (path.type === "regex") return `~${path.value}`;
  return path.type === "prefix" || path.prefix ? `${path.value.replace(/\/$/, "")}/*` : path.value;
}

function fieldKeys(fields: readonly FieldMatch[]): readonly string[] {
  return fields
    .map(({ name, test }) => JSON.stringify([name, test.type, "value" in test ? test.value : ""]))
    .toSorted();
}

function operationKey(operation: OperationMatch | undefined): readonly string[] {
  if (operation === undefined) return [];
  return [operation.type ?? "", operation.name?.type ?? "", operation.name?.value ?? ""];
}
