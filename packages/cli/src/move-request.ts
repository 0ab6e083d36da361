import { keyOf } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import { sleep, systemClock } from "@gatewright/ports";
import { GatewayHostnameRequest, GRPCRoute, HTTPRoute } from "@gatewright/resources";
import { isForbidden } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { movedParents, routesWithout } from "./move-routes.ts";
import type { Route } from "./move-routes.ts";
import { clean } from "./screen/columns.ts";
import { UsageError } from "./usage-error.ts";

const MOVE_TO = "gateway.opendi.com/move-to";
const LOOK_MS = 500;

export interface Move {
  /** The Gateway. */
  readonly to: string;
  /** Also while routes do not name it. */
  readonly anyway: boolean;
  /** Until the old Gateway is left. */
  readonly wait: boolean;
}

type Request = Immutable<GatewayHostnameRequest>;

/** Asks for a move and follows it. Refuses, without having changed anything, when routes would answer nothing after it. Resolves to the exit code. */
export async function moveRequest(
  client: Client,
  ref: { readonly namespace: string; readonly name: string },
  { to, anyway, wait }: Move,
  write: (line: string) => void,
  signal: AbortSignal,
): Promise<number> {
  // Hostnames, names and what conditions say are others' words.
  const tell = (line: string): void => write(clean(line));
  const requests = client.for(GatewayHostnameRequest);
  const request = await requests.find(ref, { signal });
  const from = request?.status?.assignedGateway;
  if (request === undefined) throw new UsageError(`there is no GatewayHostnameRequest ${keyOf(ref)}`);
  if (from === undefined) throw new UsageError(`${keyOf(ref)} is on no Gateway yet`);
  if (from !== to) {
    const without = await routesToChange(client, request, to, signal);
    for (const { kind, metadata } of without) {
      tell(
        `${kind} ${keyOf({ namespace: metadata.namespace ?? "", name: metadata.name ?? "" })} has to name ${to} beside ${from}.`,
      );
    }
    if (without.length > 0 && !anyway) {
      tell(`Not moved: add ${to} to parentRefs of these routes and try again, or say --anyway.`);
      return 1;
    }
  }
  await requests.patch(ref, { merge: { metadata: { annotations: { [MOVE_TO]: to } } } }, { signal });
  tell(`${request.spec.hostname} moves from ${from} to ${to}.`);
  return wait ? follow(client, ref, to, tell, signal) : 0;
}

async function follow(
  client: Client,
  ref: { readonly namespace: string; readonly name: string },
  to: string,
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<number> {
  let told = "";
  for (;;) {
    const request = await client.for(GatewayHostnameRequest).find(ref, { signal });
    if (request === undefined) {
      tell("The request was deleted meanwhile.");
      return 1;
    }
    const { state, line } = progressOf(request, to);
    if (line !== told) tell((told = line));
    if (state !== "moving") return state === "moved" ? 0 : 1;
    await sleep(systemClock, LOOK_MS, signal);
  }
}

/** How far a move is, in words. */
function progressOf(
  { status, metadata }: Request,
  to: string,
): { readonly state: "moving" | "moved" | "refused"; readonly line: string } {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  const refused = /It is not moved: (.*)$/s.exec(ready?.message ?? "")?.[1];
  if (status?.assignedGateway !== to) {
    const line = refused?.includes(to) === true ? `Not moved: ${refused}` : `${to} is being asked for.`;
    return { state: refused?.includes(to) === true ? "refused" : "moving", line };
  }
  const open = status.conditions?.find((each) => each.status !== "True" && each.type !== "Denied");
  if (open !== undefined || ready?.observedGeneration !== metadata.generation) {
    return { state: "moving", line: `${open?.type ?? "Ready"}: ${open?.reason ?? ""} ${open?.message ?? ""}`.trim() };
  }
  if ((status.parents?.length ?? 0) > 1)
    return { state: "moving", line: "DNS leads to it; resolvers forget the old one." };
  return { state: "moved", line: `${status.hostname} is served by ${to} alone.` };
}

/** In the namespaces whose routes the hostname takes, as far as they may be read. */
async function routesToChange(
  client: Client,
  request: Request,
  to: string,
  signal: AbortSignal,
): Promise<readonly Route[]> {
  const { namespace = "" } = request.metadata;
  const namespaces = new Set([namespace, ...(request.spec.routePolicy?.namespaces ?? [])]);
  const routes: Route[] = [];
  for (const each of namespaces) {
    for (const resource of [HTTPRoute, GRPCRoute]) {
      try {
        routes.push(...(await client.for<HTTPRoute | GRPCRoute>(resource).list({ namespace: each, signal })).items);
      } catch (error) {
        // Who may move a hostname need not see the routes of others.
        if (!isForbidden(error) || each === namespace) throw error;
      }
    }
  }
  const hostnames = request.status?.hostnames ?? [];
  return movedParents(request, to).flatMap((parents) => routesWithout(routes, hostnames, parents));
}
