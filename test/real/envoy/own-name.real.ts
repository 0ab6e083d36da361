import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { TestContext } from "node:test";
import { createAuthority } from "@gatewright/certificates";
import type { Authority } from "@gatewright/certificates";
import { systemClock, systemRandom } from "@gatewright/ports";
import { gatewayHost } from "@gatewright/routing";
import { ChangePace } from "../../../packages/routing/src/distribution/change-pace.ts";
import { createConnections } from "../../../packages/routing/src/distribution/create-connections.ts";
import type { Connections, GatewayIdentity } from "../../../packages/routing/src/distribution/connected-gateway.ts";
import { MutableCatalogue } from "../../../packages/routing/src/model/mutable-catalogue.ts";
import { deliverable } from "../../../packages/routing/src/model/testing/deliverables.ts";
import { changingServerCredentials } from "../../../packages/routing/src/stream/server-certificates.ts";
import type { ServerMaterial } from "../../../packages/routing/src/stream/server-certificates.ts";
import { DEFAULT_ENVOY_SETTINGS } from "../../../packages/routing/src/xds/envoy/envoy-settings.ts";
import { serveXds } from "../../../packages/routing/src/xds/serve-xds.ts";
import { envoyPart, freePorts } from "../../../testbed/index.ts";
import { suite } from "../../tools/suite.ts";
import { eventually } from "../eventually.ts";
import { realPart } from "../part.ts";
import { startEnvoy } from "./started-envoy.ts";
import type { StartedEnvoy } from "./started-envoy.ts";

const SERVER = "operator.gatewright-system.svc";
const validity = { notBefore: systemClock.now() - 60_000, notAfter: systemClock.now() + 3_600_000 };
const answering = (status: number) =>
  deliverable("shop", { spec: { match: [{ uri: { prefix: "/" } }], directResponse: { status } } });

const part = await realPart(envoyPart);

/** A discovery server as the operator serves it, over mTLS. */
class Discovery {
  readonly catalogue = new MutableCatalogue();
  readonly connections: Connections = createConnections({ catalogue: this.catalogue, clock: systemClock });
  readonly #binary: string;
  readonly #listeners = new Set<() => void>();
  #current: ServerMaterial | undefined;
  #port = 0;
  #envoyPort = 0;

  constructor(binary: string) {
    this.#binary = binary;
  }

  async start(context: TestContext, by: Authority): Promise<void> {
    const { catalogue, connections } = this;
    const stop = new AbortController();
    const pace = new ChangePace({ catalogue, clock: systemClock });
    pace.start(stop.signal);
    this.put(200);
    catalogue.completed();
    await this.show(by, [by]);
    const [port = 0] = await freePorts(1);
    this.#envoyPort = port;
    const listeners = [{ name: "http", address: "127.0.0.1", port }];
    const current = (): ServerMaterial | undefined => this.#current;
    const server = await serveXds({
      address: "127.0.0.1:0",
      credentials: changingServerCredentials({
        get current() {
          return current();
        },
        subscribe: (listener) => {
          this.#listeners.add(listener);
          return () => void this.#listeners.delete(listener);
        },
      }),
      envoy: { ...DEFAULT_ENVOY_SETTINGS, listeners },
      catalogue,
      connections,
      pace,
      bindsIdentity: true,
    });
    this.#port = server.port;
    context.after(() => {
      server.close();
      stop.abort();
    });
  }

  /** The route answers so from now on. */
  put(status: number): void {
    this.catalogue.put(answering(status).source, [answering(status)]);
  }

  /** Another certificate of the server, and whose certificates it takes. */
  async show(by: Authority, trusted: readonly Authority[]): Promise<void> {
    const pair = await by.issue({ ...validity, names: { hosts: [SERVER] }, usedBy: ["server"] });
    this.#current = { ...pair, authorities: trusted.map(({ certificate }) => certificate).join("") };
    for (const listener of this.#listeners) listener();
  }

  /** An Envoy that says it is this gateway, and shows a certificate of that name. */
  async envoy(
    context: TestContext,
    { cluster, host, by, trusts = by }: { cluster: string; host: string; by: Authority; trusts?: Authority },
  ): Promise<StartedEnvoy> {
    const folder = await mkdtemp(join(tmpdir(), "envoy-own-name-"));
    context.after(() => rm(folder, { recursive: true }));
    const { certificate, key } = await by.issue({ ...validity, names: { hosts: [host] }, usedBy: ["client"] });
    const files = { "ca.pem": trusts.certificate, "own.pem": certificate, "own.key": key };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const [caFile, certFile, keyFile] = [join(folder, "ca.pem"), join(folder, "own.pem"), join(folder, "own.key")];
    const tls = { caFile, certFile, keyFile, serverName: SERVER };
    const envoy = await startEnvoy(this.#binary, this.#port, "DELTA_GRPC", { cluster, tls });
    context.after(() => envoy.close());
    return envoy;
  }

  /** Resolves when Envoy answers so. */
  async answers(status: number): Promise<void> {
    const look = (): Promise<number> =>
      fetch(`http://127.0.0.1:${this.#envoyPort}/`).then(
        (answer) => answer.status,
        () => 0,
      );
    await eventually(`an answer ${status}`, look, (seen) => seen === status);
  }
}

suite("Envoy over mTLS", "missing" in part ? part.missing : false, () => {
  if ("missing" in part) return;
  const { binary = "" } = part.facts;
  const ours = createAuthority({ subject: { commonName: "ours" }, ...validity }, systemRandom);
  const edge = { namespace: "edge", name: "edge-1" };
  after(() => part[Symbol.asyncDispose]());

  test("an Envoy whose certificate is in its name is served, and goes on over a change of certificates", async (context) => {
    const discovery = new Discovery(binary);
    await discovery.start(context, ours);
    await discovery.envoy(context, { cluster: "edge/edge-1", host: gatewayHost(edge), by: ours });
    await discovery.answers(200);
    const [{ namespace, name, dialect, podName } = {} as GatewayIdentity] = discovery.connections
      .all()
      .map(({ gateway }) => gateway);
    assert.deepEqual(
      { namespace, name, dialect, podName },
      { namespace: "edge", name: "edge-1", dialect: "envoy", podName: "envoy-1" },
    );
    await discovery.show(ours, [ours, createAuthority({ subject: { commonName: "next" }, ...validity }, systemRandom)]);
    discovery.put(202);
    await discovery.answers(202);
  });

  test("an Envoy with the certificate of another gateway gets nothing", async (context) => {
    const discovery = new Discovery(binary);
    await discovery.start(context, ours);
    const envoy = await discovery.envoy(context, { cluster: "edge/edge-1", host: "edge-2.edge", by: ours });
    await eventually(
      "its streams being refused",
      async () => (await envoy.stats("cluster_manager.cds.update_attempt")).get("cluster_manager.cds.update_attempt"),
      (attempts = 0) => attempts > 1,
    );
    assert.equal(
      (await envoy.stats("cluster_manager.cds.update_success")).get("cluster_manager.cds.update_success"),
      0,
    );
    assert.deepEqual(discovery.connections.all(), []);
  });

  test("an Envoy whose certificate is a stranger's is not heard", async (context) => {
    const discovery = new Discovery(binary);
    await discovery.start(context, ours);
    const stranger = createAuthority({ subject: { commonName: "stranger" }, ...validity }, systemRandom);
    const envoy = await discovery.envoy(context, {
      cluster: "edge/edge-1",
      host: gatewayHost(edge),
      by: stranger,
      trusts: ours,
    });
    const failed = "cluster.ads.upstream_cx_destroy_remote";
    await eventually(
      "its connections being closed",
      async () => (await envoy.stats(failed)).get(failed),
      (count = 0) => count > 0,
    );
    assert.deepEqual(discovery.connections.all(), []);
  });
});
