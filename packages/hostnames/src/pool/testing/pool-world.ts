import { createApiServer } from "@gatewright/apiserver";
import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { apiextensions, core, events } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { ManualClock, PassingTime, seededRandom } from "@gatewright/ports";
import { DomainClaim, Gateway, gatewayResources, LoadBalancerConfiguration } from "@gatewright/resources";
import { createClient, createManager } from "@gatewright/runtime";
import type { Client, Transport } from "@gatewright/runtime";
import type { Claim } from "../../claims/claim.ts";
import { DEFAULT_SETTINGS } from "../../settings.ts";
import type { HostnameSettings } from "../../settings.ts";
import type { CertificateState } from "../certificates-on.ts";
import { gatewayPool } from "../gateway-pool.ts";
import { NEWEST_GATEWAY_AWS } from "../pool-kinds.ts";
import type { GatewayAws } from "../pool-kinds.ts";

/** A server in memory on virtual time, with the pool at work on it. Tests play claims, certificates and the load balancer controller. */
export interface PoolWorld extends AsyncDisposable {
  readonly user: Client;
  readonly clock: ManualClock;
  /** `METHOD plural/name` of each write of the pool since this was last emptied. */
  readonly writes: string[];
  /** Groups and versions that it has written in. */
  readonly versions: ReadonlySet<string>;
  /** Load balancers whose zones AWS was asked for; they are all in ZMARS. */
  readonly asked: readonly string[];
  /** Changes what is known of a certificate, and tells. Those that were never set are issued. */
  certificate(arn: string, state: CertificateState): void;
  /** Creates a claim, or gives it this status. */
  put(claim: Claim): Promise<void>;
  drop(claim: Claim): Promise<void>;
  until<T>(what: string, look: () => Promise<T>, holds?: (seen: T) => boolean): Promise<T>;
  find<T extends ApiObject>(resource: Resource<T>, name: string): Promise<Immutable<T> | undefined>;
  gatewayWith(name: string, ...hostnames: string[]): Promise<Immutable<Gateway>>;
  /** Certificates of a Gateway's configuration, the default one first. */
  certificates(name: string): Promise<readonly string[]>;
  /** `reason note` of each event. */
  told(): Promise<readonly string[]>;
  pass(ms: number): Promise<void>;
}

export async function createPoolWorld(
  changes: Partial<HostnameSettings> = {},
  gatewayAws: GatewayAws = NEWEST_GATEWAY_AWS,
): Promise<PoolWorld> {
  const settings = { ...DEFAULT_SETTINGS, ...changes };
  const clock = new ManualClock();
  const server = await createApiServer({ clock, random: seededRandom(7) });
  const transport = server.transport();
  const user = createClient(transport, { clock, random: seededRandom(8), fieldManager: "user" });
  const writes: string[] = [];
  const versions = new Set<string>();
  const noting: Transport = (request) => {
    const path = request.path.split("?")[0] ?? "";
    const edge = `/namespaces/${settings.edgeNamespace}/`;
    if (request.method !== "GET" && path.includes(edge) && !path.includes("/events")) {
      writes.push(`${request.method} ${path.slice(path.indexOf(edge) + edge.length)}`);
      versions.add(path.split("/").slice(2, 4).join("/"));
    }
    return transport(request);
  };
  const manager = createManager({ name: "pool-test", transport: noting, clock, random: seededRandom(9) });
  const asked: string[] = [];
  const states = new Map<string, CertificateState>();
  let tell: (arn: string) => void = () => {};
  const certificates = {
    get: (arn: string): CertificateState => states.get(arn) ?? { status: "ISSUED" },
    onChange: (listener: (arn: string) => void): void => void (tell = listener),
  };
  const stopping = new AbortController();
  const time = new PassingTime(clock);
  for (const definition of [DomainClaim, ...gatewayResources])
    await user.for(apiextensions.CustomResourceDefinition).apply(crdOf(definition));
  await server.idle();
  await user.for(core.Namespace).create({ metadata: { name: settings.edgeNamespace } });
  const zoneOf = async (dnsName: string): Promise<string | undefined> => (asked.push(dnsName), "ZMARS");
  manager.add(gatewayPool({ certificates, zoneOf, gatewayAws }, settings));
  const running = manager.run(stopping.signal);

  const world: PoolWorld = {
    user,
    clock,
    writes,
    versions,
    asked,
    certificate(arn, state) {
      states.set(arn, state);
      tell(arn);
    },
    async put({ metadata, spec, status }) {
      const { name = "" } = metadata;
      if ((await user.for(DomainClaim).find({ name })) === undefined) {
        await user.for(DomainClaim).create({ metadata: { name }, spec });
      }
      await user.for(DomainClaim).apply({ metadata: { name }, spec });
      await user.for(DomainClaim).status.apply({ metadata: { name }, ...(status && { status }) });
    },
    async drop({ metadata: { name = "" } }) {
      await user.for(DomainClaim).delete({ name });
    },
    until: (what, look, holds) => time.until(what, look, holds),
    find: (resource, name) =>
      user.for(resource).find({ ...(resource.namespaced && { namespace: settings.edgeNamespace }), name }),
    async gatewayWith(name, ...hostnames) {
      const wanted = hostnames.toSorted().join(" ");
      const gateway = await time.until(
        `${name} with ${wanted}`,
        () => world.find(Gateway, name),
        (seen) =>
          seen?.spec.listeners
            .flatMap(({ hostname }) => hostname ?? [])
            .toSorted()
            .join(" ") === wanted,
      );
      return gateway!;
    },
    async certificates(name) {
      const configuration = await world.find(LoadBalancerConfiguration, `${name}-config`);
      const [https] = configuration?.spec?.listenerConfigurations ?? [];
      return [
        ...(https?.defaultCertificate === undefined ? [] : [https.defaultCertificate]),
        ...(https?.certificates ?? []),
      ];
    },
    async told() {
      const { items } = await user.for(events.Event).list({});
      return items.map(({ reason, note }) => `${reason ?? ""} ${note ?? ""}`);
    },
    async pass(ms) {
      await time.pass(ms);
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      let stopped = false;
      const ended = running.finally(() => void (stopped = true));
      while (!stopped) await time.turn();
      await ended;
      await server.close();
    },
  };
  return world;
}
