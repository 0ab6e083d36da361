import type { ObjectKind } from "@gatewright/gateway";
import { OBJECT_KINDS } from "@gatewright/gateway";
import type { ApiObject, Immutable } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import { after, done, updateStatus } from "@gatewright/runtime";
import type { Access, ControllerDefinition, Outcome, ReconcileContext } from "@gatewright/runtime";
import { RESOURCES } from "../feed/feed-source.ts";
import type { SourceReport } from "../feed/source-report.ts";
import type { Catalogue } from "../model/catalogue.ts";
import { sourceKey } from "../model/deliverable.ts";
import type { SourceKey } from "../model/deliverable.ts";
import { changedSources } from "./changed-sources.ts";
import type { ChangedSourcesOptions } from "./changed-sources.ts";
import type { Fact } from "./facts.ts";
import { factsOf } from "./facts.ts";
import { conditionsOf, routeFields } from "./object-status.ts";
import type { ObjectStatus } from "./object-status.ts";

export interface ObjectStatusesOptions {
  readonly feed: ChangedSourcesOptions["feed"] & { report(key: SourceKey): SourceReport | undefined };
  readonly catalogue: Pick<Catalogue, "get" | "of" | "complete">;
  readonly gateways: ChangedSourcesOptions["gateways"];
  readonly clock: Clock;
}

type Reported = ApiObject & { status?: ObjectStatus };

/** When a process begins to lead, gateways have this long to connect before objects say that there is none. */
const ARRIVAL_MS = 30_000;

/** What the status of a kind is written by. */
export function statusAccess(kind: ObjectKind): Access {
  return { resource: RESOURCES[kind], verbs: ["get", "patch"], subresource: "status" };
}

/** Writes the statuses of the six kinds: while this process leads. */
export function objectStatuses(options: ObjectStatusesOptions): readonly ControllerDefinition<ApiObject>[] {
  const { clock } = options;
  return OBJECT_KINDS.map((kind) => {
    const changed = changedSources(kind, options);
    let termBegan = clock.monotonic();
    return {
      name: `${kind.toLowerCase()}-status`,
      for: RESOURCES[kind],
      when: (now, before) => now?.metadata.generation !== before?.metadata.generation,
      sources: [
        (enqueue, signal) => {
          termBegan = clock.monotonic();
          return changed(enqueue, signal);
        },
      ],
      access: [statusAccess(kind)],
      concurrency: 4,
      reconcile: (context) => tell(kind, options, termBegan, context),
    };
  });
}

async function tell(
  kind: ObjectKind,
  { feed, catalogue, gateways, clock }: ObjectStatusesOptions,
  termBegan: number,
  { object, ref, client, events, signal }: ReconcileContext<ApiObject>,
): Promise<Outcome> {
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return done();
  const key = sourceKey({ kind, namespace: ref.namespace ?? "", name: ref.name });
  const report = feed.report(key);
  const { generation = 0 } = object.metadata;
  // The feed tells when it has looked at it.
  if (report === undefined || report.generation !== generation || !catalogue.complete) return done();
  const standings = gateways.of(report.deliverables);
  const arriving = termBegan + ARRIVAL_MS - clock.monotonic();
  if (standings.length === 0 && report.serving === generation && arriving > 0) return after(arriving);
  const isRoute = kind.endsWith("Route");
  const facts = isRoute ? factsOf("Route", report, standings) : factsOf("Backend", report, standings, [UNKNOWN_HEALTH]);
  const { status: before } = object as Immutable<Reported>;
  const status: ObjectStatus = {
    observedGeneration: generation,
    conditions: conditionsOf(before, facts, generation, clock.now()),
    ...(isRoute ? routeFields(before, standings, generation) : hostFields(catalogue, key)),
  };
  const written = await updateStatus<Reported>(client, RESOURCES[kind], object, status, { signal });
  const ready = facts.find(({ type }) => type === "Ready");
  const was = before?.conditions?.find(({ type }) => type === "Ready")?.status;
  if (written !== object && ready !== undefined && ready.status !== was) {
    const note = {
      reason: ready.reason,
      note: ready.message,
      type: ready.status === "True" ? "Normal" : "Warning",
    } as const;
    events.record(object, note);
  }
  return done();
}

const UNKNOWN_HEALTH: Fact = {
  type: "Healthy",
  status: "Unknown",
  reason: "NotReported",
  message: "gateways do not report the health of hosts",
};

function hostFields(catalogue: Pick<Catalogue, "of">, key: SourceKey): Pick<ObjectStatus, "totalHosts"> {
  const hosts = catalogue.of(key)[0]?.spec["hosts"];
  if (!Array.isArray(hosts)) return {};
  return { totalHosts: hosts.filter((host) => !JSON.stringify(host).includes(".no-endpoints.invalid")).length };
}
