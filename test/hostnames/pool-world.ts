import { createApiServer, createCertificateAuthority } from "@gatewright/apiserver";
import type { Aws } from "@gatewright/aws";
import type { Immutable } from "@gatewright/kube";
import { apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { PassingTime, seededRandom } from "@gatewright/ports";
import { DomainClaim, Gateway, GatewayClass, gatewayResources, LoadBalancerConfiguration } from "@gatewright/resources";
import { createClient, createManager } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { claimName } from "../../packages/hostnames/src/names/index.ts";
import { gatewayPool } from "../../packages/hostnames/src/pool/gateway-pool.ts";
import type { GatewayObjects } from "../../packages/hostnames/src/pool/gateway-state.ts";
import { DEFAULT_SETTINGS } from "../../packages/hostnames/src/settings.ts";
import { loadBalancers } from "../../packages/laptop/src/load-balancers/load-balancers.ts";
import { virtualAws } from "../../packages/laptop/src/load-balancers/testing/virtual-aws.ts";

type Status = NonNullable<Immutable<DomainClaim>["status"]>;

const EDGE = DEFAULT_SETTINGS.edgeNamespace;
/** The pool and the stand-in for the load balancer controller, on an API server and an AWS in memory and on virtual time. */
export interface PoolWorld extends AsyncDisposable {
  readonly user: Client;
  /** Calls of it are awaited while time passes: see `asked`. */
  readonly aws: Aws;
  readonly asked: <T>(work: Promise<T>) => Promise<T>;
  readonly until: <T>(what: string, look: () => Promise<T>, holds?: (seen: T) => boolean) => Promise<T>;
  /** An issued certificate for a hostname. */
  certificate(hostname: string): Promise<string>;
  /** A claim of namespace `shop` with this status. */
  claim(hostname: string, status: Partial<Status>): Promise<Immutable<DomainClaim>>;
  objects(gateway: string): Promise<GatewayObjects>;
}

export async function createPoolWorld(removeEmptyAfterMs: number): Promise<PoolWorld> {
  const cloud = await virtualAws();
  const { aws, clock } = cloud;
  const passing: PoolWorld["asked"] = (work) => cloud.passing(work);
  const server = await createApiServer({ clock, random: seededRandom(3) });
  const transport = server.transport();
  const user = createClient(transport, { clock, random: seededRandom(4), fieldManager: "user" });
  const manager = createManager({ name: "pool-and-load-balancers", transport, clock, random: seededRandom(5) });
  const stopping = new AbortController();
  const time = new PassingTime(clock);
  for (const definition of [DomainClaim, ...gatewayResources])
    await user.for(apiextensions.CustomResourceDefinition).apply(crdOf(definition));
  await server.idle();
  for (const name of [EDGE, "shop", "rival"]) await user.for(core.Namespace).create({ metadata: { name } });
  await user
    .for(GatewayClass)
    .create({ metadata: { name: "aws-alb" }, spec: { controllerName: "gateway.k8s.aws/alb" } });
  for (const each of Object.values(loadBalancers({ aws, clock, provisioningMs: 200, refusedMs: 200 })))
    manager.add(each);
  const certificates = { get: () => ({ status: "ISSUED" }), onChange: () => {} };
  manager.add(gatewayPool({ certificates }, { ...DEFAULT_SETTINGS, removeEmptyAfterMs }));
  const running = manager.run(stopping.signal);
  const authority = await createCertificateAuthority({ clock, random: seededRandom(6) });

  return {
    user,
    aws,
    asked: passing,
    until: (what, look, holds) => time.until(what, look, holds),
    async certificate(hostname) {
      const { certificate, key } = await authority.issueServing([hostname]);
      const input = { Certificate: Buffer.from(certificate), PrivateKey: Buffer.from(key) };
      return (await passing(aws.acm.importCertificate(input))).CertificateArn ?? "";
    },
    async claim(hostname, status) {
      const name = claimName(hostname);
      const ownerRef = { namespace: "shop", name: "request", uid: "1" };
      const wish = {
        visibility: "internet-facing",
        gatewayClass: "aws-alb",
        namespaces: ["shop"],
        deletionPolicy: "Delete",
      } as const;
      await user.for(DomainClaim).apply({ metadata: { name }, spec: { zoneId: "Z1", hostname, ownerRef, wish } });
      return user.for(DomainClaim).status.apply({ metadata: { name }, status });
    },
    async objects(gateway) {
      return {
        gateway: await user.for(Gateway).find({ namespace: EDGE, name: gateway }),
        configuration: await user.for(LoadBalancerConfiguration).find({ namespace: EDGE, name: `${gateway}-config` }),
      };
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
}
