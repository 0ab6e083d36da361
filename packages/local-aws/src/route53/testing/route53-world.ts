import { ManualClock, seededRandom } from "@gatewright/ports";
import type { Operations } from "@gatewright/aws-wire/types/route53";
import { AwsError } from "../../aws-error.ts";
import type { LoadBalancerNames } from "../../neighbours.ts";
import type { CallContext } from "../../service.ts";
import { createMemoryState } from "../../state/memory-state.ts";
import { createRoute53 } from "../create-route53.ts";
import type { Route53, Route53Options } from "../create-route53.ts";

export const BALANCER = "my-alb-123.eu-west-1.elb.amazonaws.com";
export const BALANCER_ZONE = "Z32O12XQLNTSW2";

const loadBalancers: LoadBalancerNames = {
  addressesOf: (name) =>
    name === BALANCER ? { canonicalZoneId: BALANCER_ZONE, ipv4: ["127.0.1.1", "127.0.1.2"], ipv6: ["::1"] } : undefined,
};

/** Route 53 on virtual time, called as a client would, without a wire. */
export interface Route53World {
  readonly clock: ManualClock;
  readonly route53: Route53;
  /** Another one on the same state, as after a restart. */
  restarted(): Route53;
  call<Name extends keyof Operations>(
    name: Name,
    input: Operations[Name]["input"],
    account?: string,
  ): Promise<Operations[Name]["output"]>;
  /** What a call is refused with. */
  refusal<Name extends keyof Operations>(
    name: Name,
    input: Operations[Name]["input"],
    account?: string,
  ): Promise<AwsError>;
  /** A public zone that DNS has. */
  zone(name: string): Promise<string>;
  /** A second call must wait until the first is done. */
  settle(): void;
}

export function route53World(options: Route53Options & { readonly durations?: number } = {}): Route53World {
  const clock = new ManualClock(1_700_000_000_000);
  const world = {
    clock,
    random: seededRandom(7),
    state: createMemoryState(),
    pace: { durations: options.durations ?? 1, lag: false },
  };
  const route53 = createRoute53(world, { loadBalancers }, options);
  const call: Route53World["call"] = async (name, input, account = "000000000000") => {
    const arn = `arn:aws:iam::${account}:root`;
    const context: CallContext = {
      caller: { account, arn, userId: account, accessKeyId: "test" },
      account,
      region: "us-east-1",
      requestId: "r",
      signal: new AbortController().signal,
    };
    const operation = route53.service.operations.get(name);
    if (!operation) throw new Error(`no ${name}`);
    return (await operation(input, context)) as never;
  };
  const settle = (): void => clock.advance(61_000);
  return {
    clock,
    route53,
    restarted: () => createRoute53(world, { loadBalancers }, options),
    call,
    settle,
    refusal: async (name, input, account) => {
      try {
        await call(name, input, account);
      } catch (error) {
        if (error instanceof AwsError) return error;
        throw error;
      }
      throw new Error(`${name} was not refused`);
    },
    zone: async (name) => {
      const made = await call("CreateHostedZone", { Name: name, CallerReference: `${name} ${clock.now()}` });
      settle();
      return made.HostedZone.Id.replace("/hostedzone/", "");
    },
  };
}
