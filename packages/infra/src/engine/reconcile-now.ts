import type { Immutable } from "@gatewright/kube";
import type { Managed } from "./aws-kind.ts";

const ANNOTATION = "aws-infra-operator.runner.codes/reconcile-now";

/** The annotation whose every new value has the resource read at once, as the status keeps it. */
export function reconcileNow({ metadata }: Immutable<Managed>): string | undefined {
  return metadata.annotations?.[ANNOTATION]?.slice(0, 2048);
}
