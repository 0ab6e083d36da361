import { at, child, deepEqual, forbiddenField, invalid, isDNS1123Label, nameIsDNSLabel } from "@gatewright/kube";
import type { FieldError, Json, JsonObject, KubeObject } from "@gatewright/kube";
import { count, number, setDefault, specOf, struct, structOf, structs, text } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn, specChanged, statusSubresource } from "./built-in.ts";
import { choiceErrors } from "./choice-validation.ts";
import { claimSpecDefaults } from "./claim-spec-defaults.ts";
import { claimSpecErrors } from "./claim-spec-validation.ts";
import { age, columns, containerCells } from "./columns.ts";
import { replicasScale } from "./deployment.ts";
import { nonNegativeErrors } from "./number-validation.ts";
import { podSpecDefaults } from "./pod-spec-defaults.ts";
import { podTemplateErrors } from "./pod-spec-validation.ts";
import { warnOfWorkload } from "./pod-warnings.ts";
import {
  boundErrors,
  countErrors,
  decrementErrors,
  workloadSelectorErrors,
  workloadTemplateErrors,
} from "./workload-validation.ts";

const RETENTION = ["Retain", "Delete"];

/** Fields of the spec that may change. */
const MUTABLE = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
];

const IMMUTABLE =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

function claimTemplateDefaults(claim: JsonObject): void {
  claim["kind"] = "PersistentVolumeClaim";
  claim["apiVersion"] = "v1";
  setDefault(structOf(claim, "status"), "phase", "Pending");
  claimSpecDefaults(specOf(claim));
}

function defaults(object: KubeObject): void {
  const spec = specOf(object);
  setDefault(spec, "podManagementPolicy", "OrderedReady");
  const strategy = structOf(spec, "updateStrategy");
  if (strategy["type"] === undefined) {
    strategy["type"] = "RollingUpdate";
    setDefault(strategy, "rollingUpdate", {});
  }
  const rolling = struct(strategy, "rollingUpdate");
  if (strategy["type"] === "RollingUpdate" && rolling) {
    setDefault(rolling, "partition", 0);
  }
  setDefault(spec, "persistentVolumeClaimRetentionPolicy", {});
  const retention = structOf(spec, "persistentVolumeClaimRetentionPolicy");
  setDefault(retention, "whenDeleted", "Retain");
  setDefault(retention, "whenScaled", "Retain");
  setDefault(spec, "replicas", 1);
  setDefault(spec, "revisionHistoryLimit", 10);
  podSpecDefaults(structOf(spec, "template", "spec"));
  structs(spec, "volumeClaimTemplates").forEach(claimTemplateDefaults);
}

/** Rolling several pods at a time is a feature that is off. */
function dropMaxUnavailable(object: KubeObject): void {
  delete struct(object, "spec", "updateStrategy", "rollingUpdate")?.["maxUnavailable"];
}

function updateStrategyErrors(strategy: JsonObject): FieldError[] {
  const path = "spec.updateStrategy";
  const [type, rolling] = [text(strategy, "type"), struct(strategy, "rollingUpdate")];
  const place = child(path, "rollingUpdate");
  if (type === "OnDelete") {
    const shown: Json = { Partition: count(rolling, "partition"), MaxUnavailable: null };
    return rolling ? [invalid(place, shown, "only allowed for updateStrategy 'RollingUpdate'")] : [];
  }
  if (type !== "RollingUpdate") {
    const shown: Json = { Type: type, RollingUpdate: null };
    return [invalid(path, shown, "must be 'RollingUpdate' or 'OnDelete'")];
  }
  if (!rolling) return [];
  return nonNegativeErrors(number(rolling, "partition"), child(place, "partition"));
}

/** The template with volumes for its claims, and without the names that the controller gives. */
function judgedTemplate(template: JsonObject, spec: JsonObject): JsonObject {
  const { subdomain: _subdomain, hostname: _hostname, ...podSpec } = struct(template, "spec") ?? {};
  const names = new Set(structs(spec, "volumeClaimTemplates").map((claim) => text(struct(claim, "metadata"), "name")));
  const claims = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = structs(podSpec, "volumes").filter((volume) => !names.has(text(volume, "name")));
  return { ...template, spec: { ...podSpec, volumes: [...claims, ...others] } };
}

function specErrors(object: KubeObject, isNew: boolean): FieldError[] {
  const spec = specOf(object);
  const rules = {
    emptySelector: "statefulset",
    deadline: "StatefulSet",
    templateErrors: (template: JsonObject, path: string) => podTemplateErrors(judgedTemplate(template, spec), path),
  };
  const [management, service] = [text(spec, "podManagementPolicy"), text(spec, "serviceName")];
  const retention = struct(spec, "persistentVolumeClaimRetentionPolicy");
  const claims = isNew ? structs(spec, "volumeClaimTemplates") : [];
  return [
    ...(management === "OrderedReady" || management === "Parallel"
      ? []
      : [invalid("spec.podManagementPolicy", management, "must be 'OrderedReady' or 'Parallel'")]),
    ...updateStrategyErrors(struct(spec, "updateStrategy") ?? {}),
    ...["whenDeleted", "whenScaled"].flatMap((field) => {
      const value = text(retention, field);
      const path = child("spec.persistentVolumeClaimRetentionPolicy", field);
      return choiceErrors(value, RETENTION, path);
    }),
    ...claims.flatMap((claim, i) =>
      claimSpecErrors(struct(claim, "spec") ?? {}, child(at("spec.volumeClaimTemplates", i), "spec")),
    ),
    ...nonNegativeErrors(number(spec, "replicas"), "spec.replicas"),
    ...nonNegativeErrors(number(spec, "minReadySeconds"), "spec.minReadySeconds"),
    ...nonNegativeErrors(number(struct(spec, "ordinals"), "start"), "spec.ordinals.start"),
    ...(isNew && service !== "" ? isDNS1123Label(service).map((why) => invalid("spec.serviceName", service, why)) : []),
    ...workloadSelectorErrors(spec, rules),
    ...workloadTemplateErrors(spec, rules),
  ];
}

function statusErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const status = struct(object, "status");
  const parts = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"];
  return [
    ...countErrors(status, ["replicas", ...parts, "observedGeneration", "collisionCount"]),
    ...boundErrors(status, parts, "replicas", "status.replicas"),
    ...boundErrors(status, ["availableReplicas"], "readyReplicas", "status.readyReplicas"),
    ...decrementErrors(object, old, "collisionCount"),
  ];
}

function changeErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const fixed = (o: KubeObject): JsonObject =>
    Object.fromEntries(Object.entries(specOf(o)).filter(([field]) => !MUTABLE.includes(field)));
  return deepEqual(fixed(object), fixed(old)) ? [] : [forbiddenField("spec", IMMUTABLE)];
}

export function statefulSets(): Resource {
  return builtIn({
    group: "apps",
    kind: "StatefulSet",
    resource: "statefulsets",
    namespaced: true,
    shortNames: ["sts"],
    categories: ["all"],
    versions: [
      {
        version: "v1",
        defaults,
        columns: columns(["Name", "Ready", "Age", "Containers@1", "Images@1"], (object, now) => {
          const spec = struct(object, "spec");
          return [
            object.metadata.name ?? "",
            `${count(struct(object, "status"), "readyReplicas")}/${count(spec, "replicas")}`,
            age(object, now),
            ...containerCells(struct(spec, "template", "spec")),
          ];
        }),
        subresources: { status: statusSubresource({ validateUpdate: statusErrors }), scale: replicasScale },
      },
    ],
    strategy: {
      nameErrors: nameIsDNSLabel,
      newStatus: () => ({ replicas: 0, availableReplicas: 0 }),
      raisesGeneration: specChanged,
      warn: warnOfWorkload(["spec", "template"], false),
      prepareForCreate: dropMaxUnavailable,
      prepareForUpdate: dropMaxUnavailable,
      validateCreate: (object) => specErrors(object, true),
      validateUpdate: (object, old) => [...specErrors(object, false), ...changeErrors(object, old)],
    },
  });
}
