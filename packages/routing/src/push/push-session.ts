import type { gatewayApi, operatorApi } from "@gatewright/gateway-wire";
import type { Clock } from "@gatewright/ports";
import { linkSignals } from "@gatewright/ports";
import type { ChangePace } from "../distribution/change-pace.ts";
import type { Connection, Connections, GatewayIdentity, Remark } from "../distribution/connected-gateway.ts";
import { followChanges } from "../distribution/follow-changes.ts";
import type { Catalogue } from "../model/catalogue.ts";
import type { Deliverable } from "../model/deliverable.ts";
import { deliverableKey } from "../model/deliverable.ts";
import { kindOf } from "../stream/wire/resource-bytes.ts";
import { PUSHED_KINDS } from "./gateway-calls.ts";
import type { GatewayCalls } from "./gateway-calls.ts";

export interface PushSessionParts {
  readonly calls: GatewayCalls;
  readonly catalogue: Catalogue;
  readonly connections: Connections;
  readonly pace: ChangePace;
  readonly clock: Clock;
  readonly namespaces: readonly string[];
  readonly counted: { sent(): void; failed(): void };
}

/** How often a gateway that nothing changes for is asked whether it is there. */
const LOOK_MS = 30_000;

type Held = Pick<Deliverable, "kind" | "namespace" | "name" | "version">;

/**
 * One gateway, until the signal aborts: asks what it has, brings it what differs, then every change, in order and one by one. Rejects
 * when a call fails; whoever begins anew asks again what the gateway has.
 */
export async function pushSession(parts: PushSessionParts, signal: AbortSignal): Promise<void> {
  const { calls, catalogue, connections, pace, clock } = parts;
  const told = await calls.status(signal);
  const connection = connections.open(identityOf(told.gateway, parts.namespaces), knownOf);
  const lost = new AbortController();
  using ends = linkSignals([signal, lost.signal]);
  let cancel = (): void => {};
  const look = (): void => {
    calls.status(ends.signal).then(
      () => {
        connection.heard();
        if (!ends.signal.aborted) cancel = clock.timer(LOOK_MS, look);
      },
      (error: unknown) => lost.abort(error),
    );
  };
  cancel = clock.timer(LOOK_MS, look);
  try {
    const selects = (one: Deliverable): boolean => PUSHED_KINDS.has(one.kind) && connection.selects(one);
    let held: readonly Held[] = heldBy(told);
    for await (const { whole, through, ...batch } of followChanges({ catalogue, pace, selects }, ends.signal)) {
      const { set, removed } = whole ? differing(held, batch.set) : batch;
      connection.sent(through);
      connection.acknowledged(through, await bring(parts, connection, set, removed, ends.signal));
      if (whole) held = batch.set;
    }
    if (!signal.aborted) throw lost.signal.reason;
  } finally {
    cancel();
    connection.close();
  }
}

async function bring(
  { calls, counted }: PushSessionParts,
  connection: Connection,
  set: readonly Deliverable[],
  removed: readonly Held[],
  signal: AbortSignal,
): Promise<readonly Remark[]> {
  const remarks: Remark[] = [];
  for (const one of set) {
    counted.sent();
    const outcome = await calls.apply(one, signal);
    connection.heard();
    if (outcome?.applied !== true) counted.failed();
    remarks.push(...remarksOf(one, outcome));
  }
  for (const one of removed) {
    counted.sent();
    await calls.remove(one, signal);
    connection.heard();
  }
  return remarks;
}

function remarksOf(one: Deliverable, outcome: gatewayApi.Outcome | undefined): readonly Remark[] {
  const key = deliverableKey(one);
  const { version } = one;
  const about = (outcome?.findings ?? []).filter(({ type, namespace, name }) => {
    const kind = kindOf(type);
    return kind === one.kind && namespace === one.namespace && name === one.name;
  });
  const remarks = about.map(({ refused, field, message }) => ({ key, version, refused, field, message }));
  if (outcome?.applied === true || remarks.some(({ refused }) => refused)) return remarks;
  return [...remarks, { key, version, refused: true, field: "spec", message: "the gateway gave no reason" }];
}

/** What differs from what a gateway holds: what is set in its order, what goes with routes first. */
function differing(
  held: readonly Held[],
  set: readonly Deliverable[],
): { readonly set: readonly Deliverable[]; readonly removed: readonly Held[] } {
  const versions = new Map(held.map((one) => [deliverableKey(one), one.version]));
  const wanted = new Set(set.map(deliverableKey));
  const removed = held.filter((one) => !wanted.has(deliverableKey(one)));
  return {
    set: set.filter((one) => versions.get(deliverableKey(one)) !== one.version),
    removed: removed.toSorted((one, other) => Number(isBackend(one)) - Number(isBackend(other))),
  };
}

function isBackend({ kind }: Held): boolean {
  return kind.endsWith("Backend");
}

function heldBy({ objects }: gatewayApi.GetGatewayStatusResponse): Held[] {
  return objects.flatMap(({ type, namespace, name, resourceVersion: version }) => {
    const kind = kindOf(type);
    return kind === undefined ? [] : [{ kind, namespace, name, version }];
  });
}

function identityOf(info: operatorApi.GatewayInfo | undefined, namespaces: readonly string[]): GatewayIdentity {
  const { name = "", namespace = "", version = "", labels = {}, podName = "" } = info ?? {};
  const pod = podName === "" ? {} : { podName };
  return { name, namespace, version, labels, namespaces, dialect: "gatewright", door: "push", ...pod };
}

function knownOf(deliverable: Deliverable): readonly Remark[] {
  const { kind, version } = deliverable;
  if (PUSHED_KINDS.has(kind)) return [];
  const message = `gateways that are pushed to have no call for ${kind}: let the gateway follow the stream`;
  return [{ key: deliverableKey(deliverable), version, refused: true, field: "kind", message }];
}
