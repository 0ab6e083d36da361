import { ManualClock, seededRandom } from "@gatewright/ports";
import type { Operations } from "@gatewright/aws-wire/types/elbv2";
import type { CallContext } from "../../service.ts";
import { createMemoryState } from "../../state/memory-state.ts";
import { createElbv2 } from "../elbv2.ts";
import type { Elbv2, Elbv2Options } from "../elbv2.ts";

const CERTIFICATE = "arn:aws:acm:us-east-1:000000000000:certificate/";

/** The ARN of a certificate of the bench: every name is issued, `pending…` is not, `gone…` does not exist. */
export function certificateArn(name: string): string {
  return `${CERTIFICATE}${name}`;
}

/** Calls an operation as a client would, without the wire. */
export type Call = <Name extends keyof Operations>(
  name: Name,
  input: Operations[Name]["input"],
  region?: string,
) => Promise<Operations[Name]["output"]>;

export interface Bench {
  readonly clock: ManualClock;
  readonly elb: Elbv2;
  readonly call: Call;
  /** A load balancer, its ARN. */
  readonly loadBalancer: (name?: string, type?: string) => Promise<string>;
  /** A target group, its ARN. */
  readonly targetGroup: (name?: string, more?: Partial<Operations["CreateTargetGroup"]["input"]>) => Promise<string>;
  /** An HTTP listener that answers 404, its ARN. */
  readonly listener: (loadBalancer: string, port?: number) => Promise<string>;
}

export const NOT_FOUND = { Type: "fixed-response", FixedResponseConfig: { StatusCode: "404" } };

/** ELBv2 on virtual time and nothing else. */
export function createBench(options: Partial<Elbv2Options> & { readonly durations?: number } = {}): Bench {
  const clock = new ManualClock();
  const { durations = 1, ...rest } = options;
  const world = { clock, random: seededRandom(), state: createMemoryState(), pace: { durations, lag: false } };
  const shown = (arn: string) =>
    arn.includes("/pending") ? undefined : { arn, chain: "", key: "", names: [], ended: false };
  const certificates = {
    exists: (arn: string) => arn.startsWith(CERTIFICATE) && !arn.includes("/gone"),
    serving: shown,
    shown,
  };
  const elb = createElbv2(world, { certificates, ...rest });
  const call = callOf(elb);
  return {
    clock,
    elb,
    call,
    async loadBalancer(name = "web", type = "application") {
      const { LoadBalancers } = await call("CreateLoadBalancer", {
        Name: name,
        Type: type,
        Subnets: ["subnet-a", "subnet-b"],
      });
      return LoadBalancers?.[0]?.LoadBalancerArn ?? "";
    },
    async targetGroup(name = "blue", more = {}) {
      const { TargetGroups } = await call("CreateTargetGroup", {
        Name: name,
        Protocol: "HTTP",
        Port: 80,
        VpcId: "vpc-1",
        TargetType: "ip",
        ...more,
      });
      return TargetGroups?.[0]?.TargetGroupArn ?? "";
    },
    async listener(LoadBalancerArn, Port = 80) {
      const { Listeners } = await call("CreateListener", {
        LoadBalancerArn,
        Protocol: "HTTP",
        Port,
        DefaultActions: [NOT_FOUND],
      });
      return Listeners?.[0]?.ListenerArn ?? "";
    },
  };
}

/** How to call a service without the wire. */
export function callOf({ service }: Pick<Elbv2, "service">): Call {
  return async (name, input, region = "us-east-1") => {
    const account = "000000000000";
    const caller = { account, arn: `arn:aws:iam::${account}:root`, userId: account, accessKeyId: "AKIATEST" };
    const context: CallContext = { caller, account, region, requestId: "r", signal: new AbortController().signal };
    const operation = service.operations.get(name);
    if (operation === undefined) throw new Error(`no operation ${name}`);
    return await operation(input, context);
  };
}
