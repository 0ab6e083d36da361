import { applications } from "@gatewright/applications";
import { createAws } from "@gatewright/aws";
import { hostnames } from "@gatewright/hostnames";
import { infra } from "@gatewright/infra";
import { systemClock, systemRandom } from "@gatewright/ports";
import { routingAccess } from "@gatewright/routing";
import type { DeclaredAccess } from "@gatewright/runtime";
import type { Part } from "../part.ts";
import type { InstallSettings } from "./install-settings.ts";

type AccessSettings = Pick<
  InstallSettings,
  "namespace" | "edgeNamespace" | "listeners" | "webhookConfiguration" | "gatewayNamespaces"
>;

/** `expose`: what Applications need beside, where hostnames run as well. */
export type AccessPart = Part | "expose";

const ports = { clock: systemClock, random: systemRandom };

/** Never called: definitions are only looked at. */
const send = () => Promise.reject(new Error("nothing is to be sent"));

/** What each part reads and writes in the cluster, as its controllers declare. */
export function partAccess(settings: AccessSettings): Readonly<Record<AccessPart, readonly DeclaredAccess[]>> {
  const { edgeNamespace, listeners } = settings;
  const nowhere = createAws({
    ...ports,
    region: "us-east-1",
    credentials: () => Promise.reject(new Error("nobody is to be asked")),
    send,
  });
  const named = hostnames({ aws: nowhere, ...ports, settings: { edgeNamespace, listeners } });
  const { providers, resources } = infra({ ...ports, send, tenantSend: send });
  const [plain, exposing] = [applications(), applications({ expose: true })] as unknown as [Declared, Declared];
  return {
    applications: [plain],
    expose: [beyond(exposing, plain)],
    hostnames: [named.requests, named.claims, named.pool, named.grants].map(declared),
    infra: [providers, ...resources].map(declared),
    routing: routingAccess(settings),
  };
}

/** What some parts need together. */
export function accessOfParts(settings: AccessSettings, parts: readonly Part[]): readonly DeclaredAccess[] {
  const access = partAccess(settings);
  const exposes = parts.includes("applications") && parts.includes("hostnames");
  return [...parts, ...(exposes ? (["expose"] as const) : [])].flatMap((part) => access[part]);
}

type Declared = Required<Pick<DeclaredAccess, "for" | "watches" | "access">>;

function declared(controller: unknown): DeclaredAccess {
  return controller as DeclaredAccess; // whatever kind it is for
}

/** What one has that the other has not. */
function beyond(one: Declared, other: Declared): DeclaredAccess {
  const known = new Set(other.watches.map(({ resource }) => resource.plural));
  return {
    for: one.for,
    watches: one.watches.filter(({ resource }) => !known.has(resource.plural)),
    access: one.access.filter(({ resource }) => resource !== one.for && !known.has(resource.plural)),
  };
}
