import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import { Agent, request } from "node:https";
import { request as plainRequest } from "node:http";
import type { AddressInfo, Server as NetServer, Socket } from "node:net";
import type { TestContext } from "node:test";
import type { TLSSocket } from "node:tls";
import type { Operations } from "@gatewright/aws-wire/types/elbv2";
import { createAuthority } from "@gatewright/certificates";
import { nextTurn, seededRandom, systemClock, systemRandom } from "@gatewright/ports";
import { claimNet } from "../../elbv2/claim-net.ts";
import { createElbv2 } from "../../elbv2/elbv2.ts";
import type { Elbv2 } from "../../elbv2/elbv2.ts";
import { callOf } from "../../elbv2/testing/bench.ts";
import type { Call } from "../../elbv2/testing/bench.ts";
import type { ServingCertificate } from "../../neighbours.ts";
import { createMemoryState } from "../../state/memory-state.ts";
import type { AccessEntry } from "../access-entry.ts";
import { Balancer } from "../balancer.ts";
import type { TargetAddress } from "../target-address.ts";

const HOUR = 3_600_000;

/** What a client got. */
export interface Got {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** Names in the certificate that was shown. */
  readonly shown: string;
}

/** A load balancer that really listens, on a loopback address and ports that no other test has. */
export interface Stage {
  readonly elb: Elbv2;
  readonly call: Call;
  readonly balancer: Balancer;
  readonly loadBalancer: string;
  readonly address: string;
  readonly authority: string;
  readonly requests: readonly AccessEntry[];
  issue(...names: string[]): Promise<string>;
  /** Makes a certificate under an ARN anew. */
  renew(arn: string, ...names: string[]): Promise<void>;
  listener(more: Partial<Operations["CreateListener"]["input"]> & { readonly Port: number }): Promise<string>;
  targetGroup(
    name: string,
    ports: readonly number[],
    more?: Partial<Operations["CreateTargetGroup"]["input"]>,
  ): Promise<string>;
  get(
    path: string,
    options: { host: string; port: number; method?: string; body?: string; headers?: Record<string, string> },
  ): Promise<Got>;
  /** Waits until targets of a group are in a state, as their health is told. */
  health(group: string, ...states: string[]): Promise<void>;
}

export async function setStage(
  t: TestContext,
  { targetAddress, seed = 1 }: { targetAddress?: TargetAddress; seed?: number } = {},
): Promise<Stage> {
  const validity = { notBefore: systemClock.now() - HOUR, notAfter: systemClock.now() + HOUR };
  const authority = createAuthority({ subject: { commonName: "stage" }, ...validity }, systemRandom);
  const certificates = new Map<string, ServingCertificate>();
  const shown = (arn: string): ServingCertificate | undefined => certificates.get(arn);
  const neighbour = { serving: shown, shown, exists: (arn: string) => certificates.has(arn) };
  const world = {
    clock: systemClock,
    random: seededRandom(seed),
    state: createMemoryState(),
    pace: { durations: 0, lag: false },
  };
  const { addressing, release } = await claimNet();
  t.after(release);
  const elb = createElbv2(world, { certificates: neighbour, addressing });
  const call = callOf(elb);
  const requests: AccessEntry[] = [];
  const balancer = new Balancer({
    world,
    elb,
    certificates: neighbour,
    graceMs: 200,
    onRequest: (entry) => requests.push(entry),
    ...(targetAddress !== undefined && { targetAddress }),
  });
  const { LoadBalancers } = await call("CreateLoadBalancer", { Name: "stage", Subnets: ["subnet-a", "subnet-b"] });
  const loadBalancer = LoadBalancers?.[0]?.LoadBalancerArn ?? "";
  const record = elb.store.loadBalancers.get(loadBalancer);
  if (record === undefined) throw new Error("no load balancer");
  await balancer.start(new AbortController().signal);
  t.after(() => balancer.close());
  const agent = new Agent({ keepAlive: false, maxCachedSessions: 0 });

  const renew = async (arn: string, ...names: string[]): Promise<void> => {
    const pair = await authority.issue({ names: { hosts: names }, usedBy: ["server"], ...validity });
    certificates.set(arn, { arn, chain: pair.certificate, key: pair.key, names, ended: false });
  };
  const address = elb.names.addressesOf(record.dnsName)?.ipv4[0] ?? "";
  return {
    elb,
    call,
    balancer,
    loadBalancer,
    address,
    authority: authority.certificate,
    requests,
    renew,
    async issue(...names) {
      const arn = `arn:aws:acm:us-east-1:000000000000:certificate/${names[0]}`;
      await renew(arn, ...names);
      return arn;
    },
    async listener(more) {
      const { Listeners } = await call("CreateListener", {
        LoadBalancerArn: loadBalancer,
        Protocol: "HTTP",
        DefaultActions: [
          { Type: "fixed-response", FixedResponseConfig: { StatusCode: "404", MessageBody: "nothing here" } },
        ],
        ...more,
      });
      await balancer.settled();
      return Listeners?.[0]?.ListenerArn ?? "";
    },
    async targetGroup(name, ports, more = {}) {
      const { TargetGroups } = await call("CreateTargetGroup", {
        Name: name,
        Protocol: "HTTP",
        Port: 80,
        VpcId: "vpc-1",
        TargetType: "ip",
        HealthCheckIntervalSeconds: 5,
        HealthCheckTimeoutSeconds: 2,
        HealthyThresholdCount: 2,
        ...more,
      });
      const TargetGroupArn = TargetGroups?.[0]?.TargetGroupArn ?? "";
      if (ports.length > 0)
        await call("RegisterTargets", { TargetGroupArn, Targets: ports.map((Port) => ({ Id: "127.0.0.1", Port })) });
      return TargetGroupArn;
    },
    get: (path, { host, port, method = "GET", body, headers = {} }) =>
      new Promise((resolve, reject) => {
        const secure = port === 8443;
        const sent = (secure ? request : plainRequest)({
          host: address,
          port,
          path,
          method,
          headers: { Host: host, ...headers },
          ...(secure ? { agent, ca: authority.certificate, servername: host.split(":", 1)[0] } : { agent: false }),
        });
        sent.on("error", reject);
        sent.on("response", (response) => {
          const { socket } = response;
          const shown =
            "getPeerCertificate" in socket ? String((socket as TLSSocket).getPeerCertificate().subjectaltname) : "";
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("error", reject);
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(parts).toString(),
              shown,
            }),
          );
        });
        sent.end(body);
      }),
    async health(TargetGroupArn, ...states) {
      for (;;) {
        const { TargetHealthDescriptions } = await call("DescribeTargetHealth", { TargetGroupArn });
        const seen = (TargetHealthDescriptions ?? []).map(({ TargetHealth }) => TargetHealth?.State ?? "");
        if (JSON.stringify(seen.toSorted()) === JSON.stringify(states.toSorted())) return;
        await nextTurn();
      }
    },
  };
}

/** A target on a free port of 127.0.0.1. */
export async function target(
  t: TestContext,
  handler: RequestListener,
): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer(handler);
  const port = await openPort(t, server);
  return { port, server };
}

/** Lets any server listen on a free port of 127.0.0.1 until the test ends; its connections end with it. */
export async function openPort(t: TestContext, server: NetServer): Promise<number> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}
