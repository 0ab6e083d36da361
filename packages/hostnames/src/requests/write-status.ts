import { parseTime } from "@gatewright/kube";
import type { ApiObject, Immutable } from "@gatewright/kube";
import { GatewayHostnameRequest } from "@gatewright/resources";
import { controllerOf, setCondition, updateStatus } from "@gatewright/runtime";
import type { ReconcileContext } from "@gatewright/runtime";
import type { RequestMetrics } from "../metrics/request-metrics.ts";
import { isTrouble, REASONS } from "../reasons.ts";
import type { Fact, Verdict } from "./judge.ts";
import type { Request } from "./observation.ts";

type Context = Pick<ReconcileContext<GatewayHostnameRequest>, "client" | "clock" | "events" | "signal">;

/** Conditions that are news when they come true; the steps between are told by the status alone. */
const MILESTONES: ReadonlySet<string> = new Set(["Claimed", "CertificateIssued", "Ready"]);

/** Writes how a request is, when that is another than before, and tells what is news; what is wrong to whoever made the request too. */
export async function writeStatus(
  context: Context,
  request: Request,
  verdict: Verdict,
  metrics?: RequestMetrics,
): Promise<void> {
  const { client, clock, events, signal } = context;
  const { facts, ...fields } = verdict;
  const known = request.status?.conditions ?? [];
  const observedGeneration = request.metadata.generation ?? 0;
  const conditions = facts.flatMap((fact) =>
    setCondition(
      known.filter(({ type }) => type === fact.type),
      { ...fact, observedGeneration },
      clock.now(),
    ),
  );
  const status = { observedGeneration, ...fields, conditions };
  await updateStatus(client, GatewayHostnameRequest, request, status, { signal });
  const owner = ownerOf(request);
  for (const fact of facts) {
    const before = known.find((each) => each.type === fact.type);
    const type = eventType(fact, before, facts);
    if (type === undefined) continue;
    const told = { type, reason: fact.reason, action: "Reconcile" } as const;
    events.record(request, { ...told, note: fact.message });
    if (type === "Warning" && owner !== undefined) {
      events.record(owner, { ...told, note: `${request.spec.hostname}: ${fact.message}`, related: request });
    }
    if (fact.type === "Denied") metrics?.denied(fact.reason);
    const since = parseTime(before?.lastTransitionTime ?? request.metadata.creationTimestamp ?? "");
    if (fact.type === "Ready" && fact.status === "True" && since !== undefined)
      metrics?.ready((clock.now() - since) / 1000);
  }
}

/** Who waits for the hostname beside its request: an Application that is exposed by it. */
function ownerOf(request: Request): Immutable<ApiObject> | undefined {
  const owner = controllerOf(request);
  if (owner === undefined) return undefined;
  const { apiVersion, kind, name, uid } = owner;
  return { apiVersion, kind, metadata: { namespace: request.metadata.namespace ?? "", name, uid } };
}

/** Which event a fact is, if it is news. */
function eventType(
  { type, status, reason }: Fact,
  before: { readonly status: string; readonly reason: string } | undefined,
  facts: readonly Fact[],
): "Normal" | "Warning" | undefined {
  if (before?.status === status && before.reason === reason) return undefined;
  if (type === "Denied") return "Warning";
  if (type === "Ready" && isTrouble(reason)) {
    const isDenied = facts.some((fact) => fact.type === "Denied" && fact.reason === reason);
    return isDenied ? undefined : "Warning";
  }
  if (status === "True") return MILESTONES.has(type) && before?.status !== "True" ? "Normal" : undefined;
  if (type !== "Ready") return undefined;
  return before?.status === "True" && reason !== REASONS.Deleting.reason && reason !== REASONS.Updating.reason
    ? "Warning"
    : undefined;
}
