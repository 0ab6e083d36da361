import { createHash } from "node:crypto";
import type { ObjectKind } from "@gatewright/gateway";
import type { Json } from "@gatewright/kube";
import { canonicalJson, contentVersion } from "../../model/content-version.ts";
import type { Deliverable } from "../../model/deliverable.ts";
import { specName } from "../wire/resource-bytes.ts";
import { refusals } from "./refused.ts";
import { destinationsOf, rewrittenSpec } from "./rewritten-spec.ts";
import { isFilled, items } from "./spec-parts.ts";
import type { FieldRemark } from "./spec-parts.ts";
import { unsupported } from "./unsupported.ts";

/** A deliverable for gateways of AVAPIGW: none when it is held back, several when it has several matches. */
export interface Translation {
  readonly deliverables: readonly Deliverable[];
  readonly remarks: readonly FieldRemark[];
}

const BACKENDS: Readonly<Partial<Record<ObjectKind, ObjectKind>>> = {
  APIRoute: "Backend",
  GRPCRoute: "GRPCBackend",
  GraphQLRoute: "GraphQLBackend",
};

/** The backends whose names a route may hold: it looks different when they come and go. */
export function namedBackends({
  kind,
  namespace,
  spec,
}: Deliverable): Pick<Deliverable, "kind" | "namespace" | "name">[] {
  const backend = BACKENDS[kind];
  if (backend === undefined) return [];
  const hosts = destinationsOf(spec).flatMap(({ host }) => (typeof host === "string" ? [host] : []));
  return [...new Set(hosts)].map((name) => ({ kind: backend, namespace, name }));
}

/** `exists`: whether a backend is there. */
export function translate(
  deliverable: Deliverable,
  exists: (backend: Pick<Deliverable, "kind" | "namespace" | "name">) => boolean,
): Translation {
  const { kind, namespace, name } = deliverable;
  const found = [...unsupported(kind, deliverable.spec), ...refusals(kind, deliverable.spec)];
  if (found.some(({ refused }) => refused)) return { deliverables: [], remarks: found };
  const backends = new Map(namedBackends(deliverable).map((one) => [one.name, one]));
  const { spec, remarks } = rewrittenSpec(kind, deliverable.spec, (host) => {
    const named = backends.get(host);
    return named !== undefined && exists(named) ? specName(named) : undefined;
  });
  const as = (newName: string, newSpec: Deliverable["spec"]): Deliverable => {
    const content = { kind, namespace, name: newName, spec: newSpec, createdAt: deliverable.createdAt };
    return { ...content, version: contentVersion(content), labels: deliverable.labels, source: deliverable.source };
  };
  const matches = kind === "APIRoute" ? items(spec["match"]) : [];
  if (matches.length < 2) return { deliverables: [as(name, spec)], remarks: [...found, ...remarks] };
  const split = new Map(matches.map((match) => [`${name}:${shortHash(match)}`, match]));
  const counted: FieldRemark[] = isFilled(spec["rateLimit"])
    ? [{ refused: false, field: "spec.rateLimit", message: "gateways of AVAPIGW count each match by itself" }]
    : [];
  return {
    deliverables: Array.from(split, ([newName, match]) => as(newName, { ...spec, match: [match] })),
    remarks: [...found, ...remarks, ...counted],
  };
}

/** Names by content: a match keeps its name wherever it stands. */
function shortHash(match: Json): string {
  return createHash("sha256").update(canonicalJson(match)).digest("hex").slice(0, 10);
}
