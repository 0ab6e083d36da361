import { createApiServer } from "@gatewright/apiserver";
import type { Immutable } from "@gatewright/kube";
import { apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { ManualClock, PassingTime, seededRandom } from "@gatewright/ports";
import { DomainClaim, HostnameGrant } from "@gatewright/resources";
import { createClient, createManager } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { hostnameGrants } from "../controller.ts";

type Wish = Partial<NonNullable<DomainClaim["spec"]["wish"]>>;

/** A server in memory on virtual time with the grants' controller at work on it. Tests play the claims' controller. */
export interface GrantWorld extends AsyncDisposable {
  readonly user: Client;
  /** How many requests the controller has sent that write. */
  writes(): number;
  /** Makes a claim that is held. */
  hold(hostname: string, namespace: string, wish?: Wish): Promise<void>;
  /** Waits until a namespace is granted exactly these hostnames; none: until it has neither grant nor label. */
  granted(namespace: string, ...hostnames: readonly string[]): Promise<Immutable<HostnameGrant> | undefined>;
  pass(): Promise<void>;
}

export async function createGrantWorld(namespaces: readonly string[]): Promise<GrantWorld> {
  const clock = new ManualClock();
  const server = await createApiServer({ clock, random: seededRandom(1) });
  let writes = 0;
  const transport = server.transport();
  const user = createClient(transport, { clock, random: seededRandom(2), fieldManager: "user" });
  const manager = createManager({
    name: "grants-test",
    clock,
    random: seededRandom(3),
    transport: (request) => {
      if (request.method !== "GET") writes++;
      return transport(request);
    },
  });
  const stopping = new AbortController();
  const time = new PassingTime(clock, { turnMs: 20 });
  for (const kind of [DomainClaim, HostnameGrant]) {
    await user.for(apiextensions.CustomResourceDefinition).apply(crdOf(kind));
  }
  await server.idle();
  for (const name of namespaces) await user.for(core.Namespace).create({ metadata: { name } });
  manager.add(hostnameGrants({ edgeNamespace: "edge", flushMs: 2_000 }));
  const running = manager.run(stopping.signal);

  return {
    user,
    writes: () => writes,
    async hold(hostname, namespace, wish = {}) {
      await user.for(DomainClaim).create({
        metadata: { name: hostname.replace("*.", "any.") },
        spec: {
          zoneId: "Z1",
          hostname,
          ownerRef: { namespace, name: "request", uid: "1" },
          wish: {
            visibility: "internet-facing",
            gatewayClass: "aws-alb",
            namespaces: [namespace],
            deletionPolicy: "Delete",
            ...wish,
          },
        },
      });
      const status = { claimedAt: "2030-01-01T00:00:00Z" };
      await user.for(DomainClaim).status.patch({ name: hostname.replace("*.", "any.") }, { merge: { status } });
    },
    async granted(namespace, ...hostnames) {
      const wanted = JSON.stringify([hostnames, hostnames.length > 0, true]);
      const look = async () => {
        const grant = await user.for(HostnameGrant).find({ namespace, name: "hostnames" });
        const labels = (await user.for(core.Namespace).find({ name: namespace }))?.metadata.labels;
        const labelled = labels?.["gateway.opendi.com/hostnames"] === "granted";
        const settled = grant === undefined || grant.status?.grantedAt !== undefined;
        return { grant, seen: JSON.stringify([grant?.spec.hostnames ?? [], labelled, settled]) };
      };
      const { grant } = await time.until(`${namespace} is granted ${wanted}`, look, ({ seen }) => seen === wanted);
      return grant;
    },
    async pass() {
      for (let turns = 0; turns < 20; turns++) await time.turn();
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
