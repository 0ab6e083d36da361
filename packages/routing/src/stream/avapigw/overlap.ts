import type { Json, JsonObject } from "@gatewright/kube";
import { isObject } from "@gatewright/kube";
import { items } from "./spec-parts.ts";

/** What paths a match is for. */
interface Paths {
  readonly sort: "exact" | "prefix" | "regex" | "all";
  readonly text: string;
}

/** The paths of an HTTP route (`uri`) or a GraphQL route (`path`). */
export function pathsOf(spec: JsonObject, field: "uri" | "path"): readonly Paths[] {
  const matches = items(spec["match"]);
  return matches.length === 0 ? [{ sort: "all", text: "" }] : matches.map((match) => pathOf(match[field]));
}

/** Whether gateways of AVAPIGW refuse an HTTP route beside a GraphQL route. A root that takes everything is allowed. */
export function overlaps(http: readonly Paths[], graphql: readonly Paths[]): boolean {
  return http.some((one) => !isRoot(one) && graphql.some((other) => meet(one, other)));
}

function isRoot({ sort, text }: Paths): boolean {
  return sort === "all" || (sort === "prefix" && text === "/");
}

function meet(one: Paths, other: Paths): boolean {
  if (one.sort === "all" || other.sort === "all") return true;
  if (one.sort === "regex" || other.sort === "regex") return false;
  if (one.sort === "exact" && other.sort === "exact") return one.text === other.text;
  if (one.sort === "exact") return one.text.startsWith(other.text);
  if (other.sort === "exact") return other.text.startsWith(one.text);
  return one.text.startsWith(other.text) || other.text.startsWith(one.text);
}

function pathOf(match: Json | undefined): Paths {
  if (!isObject(match)) return { sort: "all", text: "" };
  for (const sort of ["exact", "prefix", "regex"] as const) {
    const text = match[sort];
    if (typeof text === "string" && text !== "") return { sort, text };
  }
  return { sort: "all", text: "" };
}
