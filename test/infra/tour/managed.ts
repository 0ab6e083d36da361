import type { Managed } from "@gatewright/infra";
import type { Resource } from "@gatewright/kube";

/** A kind of AWS resource without its types: tours write what users may write, right or wrong. */
export function managed(resource: { readonly kind: string }): Resource<Managed> {
  return resource as Resource<Managed>;
}
