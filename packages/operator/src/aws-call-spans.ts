import { AwsCallError } from "@gatewright/aws";
import type { TryObserver } from "@gatewright/aws";
import { currentSpan } from "@gatewright/runtime";
import type { Tracer } from "@gatewright/runtime";

/** A span for every try of a call to AWS: a piece of the run that makes it, or by itself where several runs share a call. */
export function awsCallSpans(tracer: Tracer): TryObserver {
  return ({ service, operation }) => {
    const name = `${service}.${operation}`;
    const attributes = { "rpc.system": "aws-api", "rpc.service": service, "rpc.method": operation };
    const span = currentSpan()?.child(name, attributes) ?? tracer.start(name, attributes);
    return (error) => {
      if (error instanceof AwsCallError) span.set({ outcome: error.kind, "error.type": error.code });
      span.end(error);
    };
  };
}
