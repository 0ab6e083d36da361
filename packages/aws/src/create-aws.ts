import { createCaller } from "./caller.ts";
import type { CallerOptions } from "./caller.ts";
import { acmCalls } from "./services/acm.ts";
import type { AcmCalls } from "./services/acm.ts";
import { ec2Calls } from "./services/ec2.ts";
import type { Ec2Calls } from "./services/ec2.ts";
import { elbv2Calls } from "./services/elbv2.ts";
import type { Elbv2Calls } from "./services/elbv2.ts";
import { route53Calls } from "./services/route53.ts";
import type { Route53Calls } from "./services/route53.ts";
import { stsCalls } from "./services/sts.ts";
import type { StsCalls } from "./services/sts.ts";
import { taggingCalls } from "./services/tagging.ts";
import type { TaggingCalls } from "./services/tagging.ts";

/** AWS as one account in one region sees it. Every call rejects with `AwsCallError`, or with the reason of its signal. */
export interface Aws {
  readonly region: string;
  readonly acm: AcmCalls;
  readonly ec2: Ec2Calls;
  readonly elbv2: Elbv2Calls;
  readonly route53: Route53Calls;
  readonly sts: StsCalls;
  readonly tagging: TaggingCalls;
}

/** The services that are used. Opens nothing by itself: what carries the calls is `send`. */
export function createAws(options: CallerOptions): Aws {
  const call = createCaller(options);
  return {
    region: options.region,
    acm: acmCalls(call),
    ec2: ec2Calls(call),
    elbv2: elbv2Calls(call),
    route53: route53Calls(call),
    sts: stsCalls(call),
    tagging: taggingCalls(call),
  };
}
