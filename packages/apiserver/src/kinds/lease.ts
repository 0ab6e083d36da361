import { invalid } from "@gatewright/kube";
import type { FieldError, KubeObject } from "@gatewright/kube";
import { number, struct, text } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn } from "./built-in.ts";
import { age, columns } from "./columns.ts";

function leaseErrors(object: KubeObject): FieldError[] {
  const spec = struct(object, "spec");
  const errors: FieldError[] = [];
  const seconds = number(spec, "leaseDurationSeconds");
  if (seconds !== undefined && seconds <= 0) {
    errors.push(invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0"));
  }
  const transitions = number(spec, "leaseTransitions");
  if (transitions !== undefined && transitions < 0) {
    errors.push(invalid("spec.leaseTransitions", transitions, "must be greater than or equal to 0"));
  }
  return errors;
}

/** Coordinated leader election is an alpha feature that is off: its fields are not kept. */
function dropCoordination(object: KubeObject): void {
  const spec = struct(object, "spec");
  delete spec?.["strategy"];
  delete spec?.["preferredHolder"];
}

/** Leases: leader election writes these all the time. */
export function leases(): Resource {
  return builtIn({
    group: "coordination.k8s.io",
    kind: "Lease",
    resource: "leases",
    namespaced: true,
    versions: [
      {
        version: "v1",
        columns: columns(["Name", "Holder", "Age"], (object, now) => [
          object.metadata.name ?? "",
          text(struct(object, "spec"), "holderIdentity"),
          age(object, now),
        ]),
      },
    ],
    strategy: {
      prepareForCreate: dropCoordination,
      prepareForUpdate: dropCoordination,
      validate: leaseErrors,
      allowsUnconditionalUpdate: false,
      allowsCreateOnUpdate: true,
    },
  });
}
