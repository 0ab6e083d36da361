import type { Immutable } from "@gatewright/kube";
import { Application } from "@gatewright/resources";
import { setCondition, updateStatus } from "@gatewright/runtime";
import type { ReconcileContext } from "@gatewright/runtime";
import { selectorOf } from "../children/names.ts";
import type { Fact, FullVerdict } from "./verdict.ts";

type Status = NonNullable<Immutable<Application>["status"]>;

/** The conditions that are this controller's; others on the object are somebody else's and left alone. */
const OWN: ReadonlySet<string> = new Set(["Ready", "Progressing", "Available", "Exposed"]);

/** Writes how an Application is, and tells when it became ready or stopped being so, or why it is not changed. */
export async function writeStatus(
  { client, clock, events, signal }: Pick<ReconcileContext<Application>, "client" | "clock" | "events" | "signal">,
  app: Immutable<Application>,
  verdict: FullVerdict,
): Promise<void> {
  const own = (app.status?.conditions ?? []).filter(({ type }) => OWN.has(type));
  const seen = app.status === undefined ? app : { ...app, status: { ...app.status, conditions: own } };
  await updateStatus(client, Application, seen, statusOf(seen, verdict, clock.now()), { signal });
  const before = own.find(({ type }) => type === "Ready");
  const { ready, phase, failing } = verdict;
  if (before?.status === ready.status && before.reason === ready.reason) return;
  // That a new one is on its way is no news.
  if (before === undefined && phase === "Pending") return;
  const type = failing ? "Warning" : "Normal";
  events.record(app, { type, reason: ready.reason, action: "Reconcile", note: ready.message });
}

/** The whole status that a verdict comes to. Times of conditions that hold as before stay. */
function statusOf(app: Immutable<Application>, verdict: FullVerdict, now: number): Status {
  const { phase, replicas, updatedReplicas, readyReplicas, ready, progressing, available, exposed, url } = verdict;
  const observedGeneration = app.metadata.generation ?? 0;
  const facts: readonly (readonly [string, Fact | undefined])[] = [
    ["Ready", ready],
    ["Progressing", progressing],
    ["Available", available],
    ["Exposed", exposed],
  ];
  const known = app.status?.conditions;
  const conditions = facts.flatMap(([type, fact]) =>
    fact === undefined
      ? []
      : setCondition(
          known?.filter((each) => each.type === type),
          { type, ...fact, observedGeneration },
          now,
        ),
  );
  return {
    observedGeneration,
    replicas,
    updatedReplicas,
    readyReplicas,
    selector: selectorText(app),
    phase,
    ...(url !== undefined && { url }),
    conditions,
  };
}

function selectorText(app: Immutable<Application>): string {
  return Object.entries(selectorOf(app))
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}
