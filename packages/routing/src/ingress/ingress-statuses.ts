import { isIP } from "node:net";
import { networking } from "@gatewright/kube/api";
import { done, generationChanged, updateStatus } from "@gatewright/runtime";
import type { ControllerDefinition, Outcome, ReconcileContext } from "@gatewright/runtime";
import { problemText } from "../feed/problem.ts";
import type { SourceReport } from "../feed/source-report.ts";
import { sourceKey } from "../model/deliverable.ts";
import type { SourceKey } from "../model/deliverable.ts";
import { changedSources } from "../status/changed-sources.ts";
import type { ChangedSourcesOptions } from "../status/changed-sources.ts";
import { isOurs } from "./ingress-source.ts";
import type { IngressClassSettings } from "./ingress-source.ts";

export interface IngressStatusesOptions extends ChangedSourcesOptions {
  readonly feed: ChangedSourcesOptions["feed"] & { report(key: SourceKey): SourceReport | undefined };
  readonly classes: IngressClassSettings;
  /** Where clients reach the gateways: addresses and names. None: statuses stay empty. */
  readonly addresses: readonly string[];
}

type Ingress = networking.Ingress;

/**
 * Writes where Ingresses of our class are served, once a gateway serves all of one, and tells by events what of them is not
 * understood. One that is given to another class loses what we wrote.
 */
export function ingressStatuses(options: IngressStatusesOptions): ControllerDefinition<Ingress> {
  return {
    name: "ingress-status",
    for: networking.Ingress,
    // A report says by the generation what it is about, and annotations are no part of that: of an edit of them is told when the feed
    // has looked.
    when: generationChanged,
    sources: [changedSources("Ingress", options)],
    access: [{ resource: networking.Ingress, verbs: ["get", "patch"], subresource: "status" }],
    concurrency: 4,
    reconcile: (context) => tell(options, context),
  };
}

async function tell(
  { feed, gateways, classes, addresses }: IngressStatusesOptions,
  { object, ref, client, events, signal }: ReconcileContext<Ingress>,
): Promise<Outcome> {
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return done();
  const said = object.status?.loadBalancer?.ingress ?? [];
  const isSaid = said.length > 0 && said.every(({ ip, hostname }) => addresses.includes(ip ?? hostname ?? ""));
  const write = (served: readonly string[]): Promise<unknown> => {
    const ingress = served.map((each) => (isIP(each) === 0 ? { hostname: each } : { ip: each }));
    return updateStatus(client, networking.Ingress, object, { loadBalancer: { ingress } }, { signal });
  };
  if (!isOurs(object, classes)) {
    if (isSaid) await write([]);
    return done();
  }
  const report = feed.report(sourceKey({ kind: "Ingress", namespace: ref.namespace ?? "", name: ref.name }));
  if (report === undefined || report.generation !== (object.metadata.generation ?? 0)) return done();
  for (const problem of report.problems) {
    const reason = problem.severity === "error" ? "IngressConversionFailed" : "IngressNotUnderstood";
    events.record(object, { type: "Warning", reason, note: problemText(problem) });
  }
  const isServed = gateways.of(report.deliverables).some(({ state }) => state === "applied");
  // Gateways that are away for a moment, or on the way to a newer version, serve on.
  const isStill = isSaid && report.serving !== undefined;
  await write(isServed || isStill ? addresses : []);
  if (isServed && !isSaid && addresses.length > 0)
    events.record(object, { type: "Normal", reason: "IngressReconciled", note: `served at ${addresses.join(", ")}` });
  return done();
}
