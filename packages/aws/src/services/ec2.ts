import type { DescribeSubnetsRequest, Operations } from "@gatewright/aws-wire/types/ec2";
import type { Caller } from "../caller.ts";
import { byNextToken } from "../listing-ways.ts";
import { pages } from "../pages.ts";
import { serviceCalls } from "../service-calls.ts";
import type { CallOptions } from "../service-calls.ts";

/** `RunInstances` gives the same instances again: it must have a token. */
const REPEATABLE = [
  "AssociateIamInstanceProfile",
  "CreateTags",
  "DeleteTags",
  "DescribeIamInstanceProfileAssociations",
  "DescribeInstanceAttribute",
  "DescribeInstances",
  "DescribeSubnets",
  "DescribeVolumes",
  "DescribeVolumesModifications",
  "DisassociateIamInstanceProfile",
  "GetConsoleOutput",
  "ModifyInstanceAttribute",
  "ModifyInstanceMetadataOptions",
  "ModifyVolume",
  "MonitorInstances",
  "ReplaceIamInstanceProfileAssociation",
  "RunInstances",
  "StartInstances",
  "StopInstances",
  "TerminateInstances",
  "UnmonitorInstances",
] as const;

/** Elastic Compute Cloud: each operation as a function, and its listings whole. */
export function ec2Calls(call: Caller) {
  const calls = serviceCalls<Operations, (typeof REPEATABLE)[number]>(call, "ec2", {
    repeatable: REPEATABLE,
    once: [],
  });
  return {
    ...calls,
    allSubnets: (input: DescribeSubnetsRequest, options?: CallOptions) =>
      pages({ ...byNextToken(calls.describeSubnets), items: (page) => page.Subnets }, input, options),
  };
}

/** {@inheritDoc ec2Calls} */
export type Ec2Calls = ReturnType<typeof ec2Calls>;
