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
import { Holdings } from "./holdings.ts";

export interface PushSessionParts {
  readonly calls: GatewayCalls;
  readonly catalogue: Catalogue;
  readonly connections: Connections;
  readonly pace: ChangePace;
  readonly clock: Clock;
  /** Throws unless this process may write now. */
  readonly gate: () => void;
  readonly namespaces: readonly string[];
  readonly counted: { sent(): void; failed(): void };
}

/** How often a gateway that nothing changes for is asked whether it is there, and has what it was given. */
const LOOK_MS = 30_000;

/**
 * One gateway, until the signal aborts: asks what it has, brings it what differs, then every change, in order and one by one. Rejects
 * when a call fails, and when the gateway has not what it was given: a connection may outlast the gateway at its other end. Whoever
 * begins anew asks again what the gateway has.
 */
export async function pushSession(parts: PushSessionParts, signal: AbortSignal): Promise<void> {
  const { calls, catalogue, connections, pace, clock } = parts;
  const told = await calls.status(signal);
  const connection = connections.open(identityOf(told.gateway, parts.namespaces), knownOf);
  const holdings = new Holdings(told);
  const lost = new AbortController();
  using ends = linkSignals([signal, lost.signal]);
  let cancel = (): void => {};
  const look = (): void => {
    const asked = holdings.moment;
    calls.status(ends.signal).then(
      (now) => {
        connection.heard();
        if (holdings.contradicts(now, asked)) lost.abort(new Error("the gateway has not what it was given"));
        if (!ends.signal.aborted) cancel = clock.timer(LOOK_MS, look);
      },
      (error: unknown) => lost.abort(error),
    );
  };
  cancel = clock.timer(LOOK_MS, look);
  try {
    const selects = (one: Deliverable): boolean => PUSHED_KINDS.has(one.kind) && connection.selects(one);
    for await (const { whole, through, ...batch } of followChanges({ catalogue, pace, selects }, ends.signal)) {
      const { set, removed } = whole ? holdings.differing(batch.set, (key) => catalogue.keeps(key)) : batch;
      connection.sent(through);
      connection.acknowledged(through, await bring(parts, connection, holdings, { set, removed }, ends.signal));
    }
    if (!signal.aborted) throw lost.signal.reason;
  } finally {
    cancel();
    connection.close();
  }
}

type Named = Pick<Deliverable, "kind" | "namespace" | "name">;

async function bring(
  { calls, counted, gate }: PushSessionParts,
  connection: Connection,
  holdings: Holdings,
  { set, removed }: { readonly set: readonly Deliverable[]; readonly removed: readonly Named[] },
  signal: AbortSignal,
): Promise<readonly Remark[]> {
  const remarks: Remark[] = [];
  for (const one of set) {
    gate();
    counted.sent();
    holdings.moves();
    const outcome = await calls.apply(one, signal);
    holdings.took(one);
    connection.heard();
    if (outcome?.applied !== true) counted.failed();
    remarks.push(...remarksOf(one, outcome));
  }
  for (const one of removed) {
    gate();
    counted.sent();
    holdings.moves();
    await calls.remove(one, signal);
    holdings.dropped(one);
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
