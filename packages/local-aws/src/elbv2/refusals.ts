import { AwsError } from "../aws-error.ts";

/** The refusals that several operations share, in the words of the service. */

export function invalid(message: string): AwsError {
  return new AwsError("ValidationError", message);
}

export function noLoadBalancer(arn: string): AwsError {
  return new AwsError("LoadBalancerNotFound", `Load balancer '${arn}' not found`);
}

export function noListener(): AwsError {
  return new AwsError("ListenerNotFound", "One or more listeners not found");
}

export function noRule(): AwsError {
  return new AwsError("RuleNotFound", "One or more rules not found");
}

export function noTargetGroup(): AwsError {
  return new AwsError("TargetGroupNotFound", "One or more target groups not found");
}
