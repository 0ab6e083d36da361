import { keyOf } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { Gateway } from "@gatewright/resources";
import { setCondition } from "@gatewright/runtime";
import type { Attached } from "../cluster/attachment.ts";
import type { ListenerView } from "../cluster/listeners.ts";
import { GATEWAY_API } from "../controller-names.ts";

type GatewayStatus = NonNullable<Immutable<Gateway>["status"]>;
export type ListenerStatus = NonNullable<GatewayStatus["listeners"]>[number];
export type StatusCondition = GatewayStatus["conditions"][number];

/** Whether what was asked for is there in AWS. */
export interface Progress {
  readonly programmed: boolean;
  readonly generation: number;
  readonly now: number;
}

/** How the listeners of a Gateway, or of a ListenerSet, fare. */
export function listenerStatuses(
  listeners: readonly ListenerView[],
  attached: readonly Attached[],
  before: readonly ListenerStatus[] | undefined,
  progress: Progress,
): readonly ListenerStatus[] {
  return listeners.map((listener) => {
    const { name } = listener.spec;
    const here = attached.filter((each) => each.listener === listener);
    return {
      name,
      supportedKinds: listener.kinds.map((kind) => ({ group: GATEWAY_API, kind })),
      attachedRoutes: new Set(here.map(({ route }) => `${route.kind}/${keyOf(route.ref)}`)).size,
      conditions: conditionsOf(listener, before?.find((each) => each.name === name)?.conditions ?? [], progress),
    };
  });
}

function conditionsOf(
  { problem }: ListenerView,
  before: readonly StatusCondition[],
  { programmed, generation, now }: Progress,
): readonly StatusCondition[] {
  const about = (condition: string) => (problem?.condition === condition ? problem : undefined);
  const [conflict, refusal, unresolved] = [about("Conflicted"), about("Accepted"), about("ResolvedRefs")];
  const facts = [
    fact("Conflicted", conflict !== undefined, conflict, "NoConflicts", "Listener has no conflict."),
    fact("Accepted", refusal === undefined, refusal, "Accepted", "Listener is accepted."),
    fact("ResolvedRefs", unresolved === undefined, unresolved, "ResolvedRefs", "Listener has all refs resolved."),
    problem !== undefined
      ? fact("Programmed", false, { reason: "Invalid", message: "Listener is not accepted." }, "", "")
      : programmed
        ? fact("Programmed", true, undefined, "Programmed", "Listener is programmed.")
        : fact("Programmed", false, { reason: "Pending", message: "Listener is pending to be programmed." }, "", ""),
  ];
  return facts.reduce<readonly StatusCondition[]>(
    (conditions, each) => setCondition(conditions, { ...each, observedGeneration: generation }, now),
    before.filter(({ type }) => facts.some((each) => each.type === type)),
  );
}

function fact(
  type: string,
  status: boolean,
  problem: { readonly reason: string; readonly message: string } | undefined,
  reason: string,
  message: string,
) {
  return {
    type,
    status: status ? ("True" as const) : ("False" as const),
    reason,
    message,
    ...(problem && told(problem)),
  };
}

function told({ reason, message }: { readonly reason: string; readonly message: string }) {
  return { reason, message };
}
