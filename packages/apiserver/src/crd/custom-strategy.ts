import { deepEqual, invalid, isQualifiedName, nameIsDNSSubdomain, quote } from "@gatewright/kube";
import type { FieldError, KubeObject } from "@gatewright/kube";
import { isStandardFinalizer } from "../resources/finalizers.ts";
import type { Strategy, WriteContext } from "../resources/resource.ts";
import type { CrdVersion, CrdView } from "./crd-view.ts";
import type { CustomVersion } from "./custom-version.ts";
import { scaleSpecErrors, scaleStatusErrors } from "./scale-paths.ts";

/** What to tell about finalizers that others might take by accident. */
function finalizerWarnings(name: string): string[] {
  const warnings = [...isQualifiedName(name)];
  if (!name.includes("/") && !isStandardFinalizer(name)) {
    const how = name.includes(".") ? "including a path (/) " : "";
    warnings.push(
      `prefer a domain-qualified finalizer name ${how}to avoid accidental conflicts with other finalizer writers`,
    );
  }
  return warnings.map((text) => `metadata.finalizers: ${quote(name)}: ${text}`);
}

function warnOfFinalizers(object: KubeObject, old: KubeObject | undefined, context: WriteContext): void {
  const known = new Set(old?.metadata.finalizers);
  const added = new Set((object.metadata.finalizers ?? []).filter((name) => !known.has(name)));
  for (const name of [...added].sort()) for (const text of finalizerWarnings(name)) context.warn(text);
}

/** Whether anything besides metadata differs. */
function contentChanged(object: KubeObject, old: KubeObject): boolean {
  const keys = Object.keys(object);
  if (keys.length !== Object.keys(old).length) return true;
  return keys.some(
    (key) => key !== "metadata" && !deepEqual(object[key], Object.hasOwn(old, key) ? old[key] : undefined),
  );
}

function scaleErrors(object: KubeObject, { scale }: CrdVersion): FieldError[] {
  return [...scaleSpecErrors(object, scale), ...scaleStatusErrors(object, scale)];
}

/** How custom resources are written. The version of the request decides whose schema judges. */
export function customStrategy(
  view: CrdView,
  versions: ReadonlyMap<string, CustomVersion>,
  storage: CustomVersion,
): Strategy {
  const of = (context: WriteContext): CustomVersion => versions.get(context.version) ?? storage;

  const typeErrors = (object: KubeObject, version: CustomVersion): FieldError[] => {
    const errors: FieldError[] = [];
    if (object.kind !== view.names.kind) errors.push(invalid("kind", object.kind, `must be ${view.names.kind}`));
    if (object.apiVersion !== version.apiVersion) {
      errors.push(invalid("apiVersion", object.apiVersion, `must be ${version.apiVersion}`));
    }
    return errors;
  };

  return {
    tracksGeneration: true,
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
    returnsDeletedObject: false,
    defaultPropagation: "Background",
    nameErrors: nameIsDNSSubdomain,
    prepareForCreate(object, context) {
      const { declared, schema } = of(context);
      if (declared.status) {
        delete object["status"];
        // A status that the schema gives by default is there from the start, as if it were read back.
        schema.applyDefaults(object);
      }
      warnOfFinalizers(object, undefined, context);
    },
    prepareForUpdate(object, old, context) {
      if (of(context).declared.status) {
        if (Object.hasOwn(old, "status")) object["status"] = old["status"]!;
        else delete object["status"];
      }
      const generation = old.metadata.generation ?? 0;
      object.metadata.generation = contentChanged(object, old) ? generation + 1 : generation;
      warnOfFinalizers(object, old, context);
    },
    validateCreate(object, context) {
      const version = of(context);
      const { schema, declared } = version;
      const wrong = typeErrors(object, version);
      if (wrong.length > 0) return wrong;
      const { status: _unwritten, ...written } = object;
      return schema.validate(declared.status ? written : object, scaleErrors(object, declared));
    },
    validateUpdate(object, old, context) {
      const version = of(context);
      const { schema, declared } = version;
      const wrong = typeErrors(object, version);
      if (wrong.length > 0) return wrong;
      return schema.validateUpdate(object, old, (text) => context.warn(text), scaleErrors(object, declared));
    },
    resetFields: storage.declared.status ? [["status"]] : [],
    fieldLabels: {},
  };
}
