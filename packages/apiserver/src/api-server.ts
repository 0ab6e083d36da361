import { systemClock, systemRandom } from "@gatewright/ports";
import {
  createAdmission,
  createWebhookCaller,
  validateMatchConditions,
  validatePolicyExpressions,
} from "./admission/index.ts";
import type { ApiServerOptions, ServerLog } from "./api-server-options.ts";
import { createRbacGuard, reviewResources, tokenSubresource } from "./auth/index.ts";
import type { UserInfo } from "./auth/index.ts";
import type { Cluster } from "./cluster.ts";
import { crdResource } from "./crd/index.ts";
import { discoveryPaths } from "./discovery/index.ts";
import { extraPaths, pathAccess } from "./extra-paths.ts";
import { createFirstObjects } from "./first-objects.ts";
import { createForgiving } from "./handlers/forgiving.ts";
import { createLocalCluster } from "./handlers/local-cluster.ts";
import type { ApiHandler } from "./http/api-request.ts";
import { inProcessTransport } from "./http/in-process.ts";
import type { InProcessOptions, InProcessTransport } from "./http/in-process.ts";
import { listen } from "./http/listen.ts";
import type { Listener, ListenOptions } from "./http/listen.ts";
import { builtinResources } from "./kinds/index.ts";
import { nodeSubresources } from "./nodes/node-subresources.ts";
import { openapiPaths } from "./openapi/index.ts";
import { ResourceRegistry } from "./resources/registry.ts";
import { healthPaths, indexPath, openidPaths } from "./server-paths.ts";
import { guardLoopback } from "./loopback-requests.ts";
import { createIdentity } from "./server-identity.ts";
import { createRouter } from "./server-route.ts";
import { serviceResolver } from "./service-resolver.ts";
import { createMemoryStore } from "./store/index.ts";
import { startSystemControllers } from "./system-controllers.ts";
import type { WriterDeps } from "./writer/writer.ts";

/** A Kubernetes API server in this process. */
export interface ApiServer {
  /** Answers one request. Never rejects. */
  readonly handle: ApiHandler;
  /** The server's own view of its objects. */
  readonly cluster: Cluster;
  /** A client's way to the server without sockets, as an admin unless told otherwise. */
  transport(user?: UserInfo, options?: InProcessOptions): InProcessTransport;
  listen(options: Omit<ListenOptions, "onFault">): Promise<Listener>;
  /** Resolves when the server's own controllers have nothing left to do. */
  idle(): Promise<void>;
  /** Ends watches and controllers, waits for writes under way, closes the store. */
  close(): Promise<void>;
}

const SERVICE_CIDR = "10.0.0.0/16";
const quiet: ServerLog = () => {};

/** Makes a server that is ready to answer: first objects made, stored custom resources served. */
export async function createApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const { clock = systemClock, random = systemRandom, log = quiet, access = "loopback" } = options;
  const store = options.store ?? createMemoryStore({ clock });
  const resources = new ResourceRegistry();
  const report = (message: string, error: unknown): void => log("warn", message, { error });

  const writer: WriterDeps = { store, clock, random, cluster: () => cluster, admission: () => admission };
  const cluster = createLocalCluster(store, resources, writer, "kube-controller-manager");
  const apiserver = createLocalCluster(store, resources, writer, "kube-apiserver");
  const { authenticator, authorizer, tokens, audiences } = createIdentity(options, { store, cluster, clock, random });
  const callWebhook = createWebhookCaller({ clock, resolveService: serviceResolver(cluster) });
  const admission = createAdmission({
    cluster,
    authorizer,
    clock,
    random,
    callWebhook,
    disabled: new Set(options.disabledAdmission),
    report: (message) => log("warn", message, {}),
  });

  const serviceCidr = options.serviceCidr ?? SERVICE_CIDR;
  const builtin = builtinResources({
    random,
    serviceRange: { cidr: serviceCidr, firstNodePort: 30000, lastNodePort: 32767 },
    token: tokenSubresource({ tokens, audiences }),
    ...(options.nodes && { nodes: nodeSubresources(options.nodes, { cluster, authorizer, random }) }),
    rbacGuard: createRbacGuard(authorizer),
    matchConditions: validateMatchConditions,
    policyExpressions: validatePolicyExpressions,
  });
  for (const resource of [...builtin, ...reviewResources({ authenticator, authorizer }), crdResource({ clock })]) {
    resources.set(resource);
  }
  const caBundle = options.caBundle ?? "";
  const controllers = startSystemControllers(
    { apiserver, cluster },
    { clock, random, callWebhook, tokens, audiences, caBundle, report },
  );
  const advertise = options.advertise ?? { address: "127.0.0.1", port: 443 };
  await createFirstObjects(apiserver, {
    serviceIp: firstAddress(serviceCidr),
    port: advertise.port,
    advertiseAddress: advertise.address,
  });

  const stopping = new AbortController();
  const onFault = (error: unknown): void => log("error", "a request failed by a fault of the server", { error });
  const handle = createRouter({
    resources,
    handlers: {
      store,
      resources,
      clock,
      random,
      writer,
      stopping: stopping.signal,
      forgiving: createForgiving(options.forgiving ?? [], authorizer),
      authorizer,
    },
    random,
    authenticator,
    authorizer,
    guard: access === "loopback" ? guardLoopback : () => {},
    pathAccess: pathAccess(options.paths ?? { served: [] }),
    paths: [
      indexPath(resources, options.paths),
      discoveryPaths(resources),
      openapiPaths(resources, clock),
      openidPaths(tokens),
      healthPaths([
        { name: "ping", problem: () => undefined },
        { name: "store", readinessOnly: true, problem: storeProblem },
        ...(options.checks ?? []),
      ]),
      ...(options.paths ? [extraPaths(options.paths, stopping.signal)] : []),
    ],
    onFault,
  });
  function storeProblem(): string | undefined {
    const health = store.health();
    return health.ok ? undefined : health.why;
  }
  return {
    handle,
    cluster,
    transport: (user, how) => inProcessTransport(handle, user, how),
    listen: (listenOptions) => listen(handle, { ...listenOptions, onFault }),
    async idle() {
      // One controller's work is another one's news: all must be idle in the same round.
      for (let revision = -1; revision !== store.revision;) {
        revision = store.revision;
        for (const controller of controllers) await controller.idle();
      }
    },
    async close() {
      stopping.abort();
      for (const controller of controllers) await controller.stop();
      authorizer.close();
      await store.close();
    },
  };
}

/** The first usable address of an IPv4 network: that of the Service `default/kubernetes`. */
function firstAddress(cidr: string): string {
  const octets = (cidr.split("/")[0] ?? "").split(".").map(Number);
  octets[3] = (octets[3] ?? 0) + 1;
  return octets.join(".");
}
