import { at, child, invalid, isQualifiedName, nameIsDNSLabel } from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject, KubeObject } from "@gatewright/kube";
import { setDefault, struct, structOf, text, texts } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn, finalizerErrors, keepField, statusSubresource } from "./built-in.ts";
import { age, columns } from "./columns.ts";

const FINALIZER = "kubernetes";
const NAME_LABEL = "kubernetes.io/metadata.name";

function labelWithName({ metadata }: KubeObject): void {
  if (!metadata.name || metadata.labels?.[NAME_LABEL] === metadata.name) return;
  const labels = Object.entries({ ...metadata.labels, [NAME_LABEL]: metadata.name });
  metadata.labels = Object.fromEntries(labels.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function specFinalizerErrors(name: string, path: FieldPath): FieldError[] {
  return [...isQualifiedName(name).map((why) => invalid(path, name, why)), ...finalizerErrors(name, path)];
}

function phaseErrors(object: KubeObject): FieldError[] {
  const phase = text(struct(object, "status"), "phase");
  const [expected, deleted] = object.metadata.deletionTimestamp ? ["Terminating", "not empty"] : ["Active", "empty"];
  if (phase === expected) return [];
  return [invalid("status.Phase", phase, `may only be '${expected}' if \`deletionTimestamp\` is ${deleted}`)];
}

/** Namespaces. `spec.finalizers` is written through `finalize` only, and holds a deleted namespace back. */
export function namespaces(): Resource {
  return builtIn({
    group: "",
    kind: "Namespace",
    resource: "namespaces",
    namespaced: false,
    shortNames: ["ns"],
    verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
    versions: [
      {
        version: "v1",
        defaults(object) {
          labelWithName(object);
          setDefault(structOf(object, "status"), "phase", "Active");
        },
        columns: columns(["Name", "Status", "Age"], (object, now) => [
          object.metadata.name ?? "",
          text(struct(object, "status"), "phase"),
          age(object, now),
        ]),
        subresources: {
          status: statusSubresource({ validateUpdate: phaseErrors }),
          finalize: {
            type: "object",
            verbs: ["update"],
            prepareForUpdate: (object, old) => keepField(object, old, "status"),
            validateUpdate: (object) =>
              texts(struct(object, "spec"), "finalizers").flatMap((name, i) =>
                specFinalizerErrors(name, at("spec.finalizers", i)),
              ),
            resetFields: [["status"]],
          },
        },
      },
    ],
    strategy: {
      nameErrors: nameIsDNSLabel,
      returnsDeletedObject: true,
      newStatus: () => ({ phase: "Active" }),
      prepareForCreate(object) {
        labelWithName(object);
        const spec = object["spec"] as JsonObject;
        const finalizers = texts(spec, "finalizers");
        if (!finalizers.includes(FINALIZER)) spec["finalizers"] = [...finalizers, FINALIZER];
      },
      prepareForUpdate(object, old) {
        labelWithName(object);
        keepField(object["spec"] as JsonObject, old["spec"] as JsonObject, "finalizers");
      },
      validate: (object) =>
        texts(struct(object, "spec"), "finalizers").flatMap((name) =>
          specFinalizerErrors(name, child("spec", "finalizers")),
        ),
      onDeletionMarked(object) {
        delete object.metadata.deletionGracePeriodSeconds;
        object["status"] = { ...struct(object, "status"), phase: "Terminating" };
      },
      heldBack: (object) => texts(struct(object, "spec"), "finalizers").length > 0,
      fieldLabels: {
        "status.phase": (object) => text(struct(object, "status"), "phase"),
      },
    },
  });
}
