import { existsSync, readFileSync } from "node:fs";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { examine } from "@gatewright/gateway/examine";
import type { ObjectKind } from "@gatewright/gateway";
import { systemClock } from "@gatewright/ports";
import { ChangePace } from "../../../packages/routing/src/distribution/change-pace.ts";
import { createConnections } from "../../../packages/routing/src/distribution/create-connections.ts";
import type { Connections, Remark } from "../../../packages/routing/src/distribution/connected-gateway.ts";
import { contentVersion } from "../../../packages/routing/src/model/content-version.ts";
import type { Deliverable } from "../../../packages/routing/src/model/deliverable.ts";
import { deliverableKey } from "../../../packages/routing/src/model/deliverable.ts";
import { MutableCatalogue } from "../../../packages/routing/src/model/mutable-catalogue.ts";
import { adsService } from "../../../packages/routing/src/xds/ads-service.ts";
import { DEFAULT_ENVOY_SETTINGS } from "../../../packages/routing/src/xds/envoy/envoy-settings.ts";
import type { ListenerTls } from "../../../packages/routing/src/xds/envoy/envoy-settings.ts";
import { EnvoyTranslation } from "../../../packages/routing/src/xds/envoy/translation.ts";
import { Views } from "../../../packages/routing/src/xds/views.ts";
import { freePorts } from "../../../testbed/index.ts";
import type { Certificates } from "../../routing-table/certificates.ts";
import { send } from "../../routing-table/client.ts";
import { apiRoute } from "../../routing-table/manifests.ts";
import type { Manifest } from "../../routing-table/routing-case.ts";
import type { World } from "../../routing-table/world.ts";
import { startEnvoy } from "./started-envoy.ts";
import type { AdsKind, StartedEnvoy } from "./started-envoy.ts";

const LONGEST_MS = 20_000;

/** The table's world of a catalogue, a discovery server and a real Envoy. */
export interface EnvoyWorld extends World {
  readonly envoy: StartedEnvoy;
  /** What is said of the objects that were applied last. */
  remarks(): readonly Remark[];
}

export async function envoyWorld(
  binary: string,
  kind: AdsKind,
  certificates: Certificates,
  signal: AbortSignal,
): Promise<EnvoyWorld> {
  const catalogue = new MutableCatalogue();
  const connections = createConnections({ catalogue, clock: systemClock });
  const pace = new ChangePace({ catalogue, clock: systemClock });
  const stop = new AbortController();
  pace.start(AbortSignal.any([signal, stop.signal]));
  catalogue.completed();
  const address = "127.0.0.1";
  const [port = 0, securePort = 0] = await freePorts(2);
  const listeners = [
    { name: "http", address, port },
    { name: "https", address, port: securePort, tls: listenerTls(certificates) },
  ];
  const settings = { ...DEFAULT_ENVOY_SETTINGS, listeners };
  const views = new Views({ catalogue, pace, translation: () => new EnvoyTranslation(settings) });
  const { definition, implementation } = adsService({
    catalogue,
    connections,
    views,
    identify: (_call, node) => ({
      namespace: "default",
      name: node.cluster,
      podName: node.id,
      dialect: "envoy",
      door: "xds",
      labels: {},
      version: "",
      namespaces: [],
    }),
  });
  const server = new Server();
  server.addService(definition, implementation);
  const adsPort = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  const envoy = await startEnvoy(binary, adsPort, kind);
  const doors = { plain: { address, port }, secure: { address, port: securePort }, certificates };
  let held: Deliverable[] = [];
  const world: EnvoyWorld = {
    name: `Envoy by ${kind}`,
    envoy,
    async apply(objects) {
      const wanted = objects.flatMap(deliverableOf);
      const keys = new Set(wanted.map(deliverableKey));
      for (const one of held) if (!keys.has(deliverableKey(one))) catalogue.remove(one.source);
      for (const one of wanted) catalogue.put(one.source, [one]);
      held = wanted;
      await acknowledged(connections, catalogue);
    },
    request: (request, until) => send(doors, request, until),
    remarks: () => held.flatMap((one) => remarksOf(connections, deliverableKey(one))),
    async close() {
      await envoy.close();
      server.forceShutdown();
      stop.abort();
    },
  };
  // Of nothing it cannot be told whether Envoy has it.
  await world.apply([apiRoute("first", { directResponse: { status: 204 } })], signal);
  return world;
}

/** Resolves when Envoy has said that it has everything. */
function acknowledged(connections: Connections, catalogue: MutableCatalogue): Promise<void> {
  const holds = (): boolean => {
    const [connection] = connections.all();
    return connection !== undefined && connection.acknowledged >= catalogue.revision;
  };
  return new Promise((resolve, reject) => {
    const cancel = systemClock.timer(LONGEST_MS, () => {
      stop();
      reject(new Error(`Envoy does not have everything: ${JSON.stringify(connections.all())}`));
    });
    const look = (): void => {
      if (!holds()) return;
      stop();
      resolve();
    };
    const unsubscribe = connections.subscribe(look);
    const stop = (): void => {
      unsubscribe();
      cancel();
    };
    look();
  });
}

function remarksOf(connections: Connections, key: string): readonly Remark[] {
  const [standing] = connections.standing(key).values();
  return standing === undefined || standing.state === "pending" ? [] : standing.remarks;
}

/** As the operator's feed makes it: what a gateway would leave out, is. */
function deliverableOf(manifest: Manifest): Deliverable[] {
  const kind = manifest.kind as ObjectKind;
  const { name, namespace = "default", creationTimestamp: createdAt = "" } = manifest.metadata;
  const given = kind.endsWith("Backend") ? withTexts(manifest.spec) : manifest.spec;
  const { spec } = examine({ kind, namespace, name, version: "1", spec: given });
  if (spec === undefined) return [];
  const content = { kind, namespace, name, spec, createdAt };
  return [{ ...content, version: contentVersion(content), labels: {}, source: { kind, namespace, name } }];
}

/** The certificates themselves where files of them are named: files are not passed on to Envoy. */
function withTexts(value: unknown): unknown {
  const text = JSON.stringify(value, (key, inner: unknown) =>
    key.endsWith("File") && typeof inner === "string" && existsSync(inner) ? readFileSync(inner, "utf8") : inner,
  );
  return JSON.parse(text);
}

/** Shows a certificate of the name that is asked for, and asks clients for theirs. */
function listenerTls(certificates: Certificates): ListenerTls {
  const file = (name: string): string => certificates.file(name) ?? name;
  const pair = (name: string) => ({ certFile: file(`${name}.pem`), keyFile: file(`${name}.key`) });
  return { certificates: [pair("gateway.test"), pair("shop.test")], clientCaFile: file("authority.pem") };
}
