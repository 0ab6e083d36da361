import { getOwn, isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import type { Problem } from "../problem.ts";
import type { ContentKind, Surroundings } from "../surroundings.ts";

interface Filling {
  readonly kind: ContentKind;
  /** The field beside the reference that takes the content. */
  readonly target: string;
  readonly encoding: "utf8" | "base64";
}

/** Fields that refer to content. They are called the same in all kinds. */
const FILLINGS: ReadonlyMap<string, Filling> = new Map([
  ["clientSecretRef", { kind: "Secret", target: "clientSecret", encoding: "utf8" }],
  ["specConfigMapRef", { kind: "ConfigMap", target: "specInline", encoding: "utf8" }],
  ["schemaConfigMapRef", { kind: "ConfigMap", target: "schemaInline", encoding: "utf8" }],
  ["descriptorConfigMapRef", { kind: "ConfigMap", target: "descriptorInline", encoding: "base64" }],
]);

/** What came of it. `waiting`: some content is not known yet. */
export interface Filled {
  readonly problems: readonly Problem[];
  readonly waiting: boolean;
}

/**
 * Puts what Secrets and ConfigMaps of the namespace hold in place of the references to them, in place. Blocks that are not enabled are
 * not looked into: what they refer to need not be there.
 */
export function fillContents(spec: JsonObject, namespace: string, around: Surroundings): Filled {
  const problems: Problem[] = [];
  let waiting = false;
  const fill = (object: JsonObject, reference: string, filling: Filling, field: string): void => {
    const given = object[reference];
    delete object[reference];
    if (!isObject(given)) return;
    const { name, key } = given;
    if (typeof name !== "string") return;
    const found = around.contents(filling.kind, namespace, name);
    if (found === "unknown") waiting = true;
    else if (found === "missing") missing(field, `there is no ${filling.kind} ${name} in namespace ${namespace}`);
    else {
      const only = found.size === 1 ? [...found.keys()][0] : undefined;
      const wanted = typeof key === "string" && key !== "" ? key : only;
      const content = wanted === undefined ? undefined : found.get(wanted);
      if (content !== undefined) object[filling.target] = content.toString(filling.encoding);
      else if (wanted === undefined) missing(field, `${filling.kind} ${name} has ${found.size} keys: say which one`);
      else missing(field, `${filling.kind} ${name} has no key ${wanted}`);
    }
  };
  const missing = (field: string, message: string): void =>
    void problems.push({ severity: "error", reason: "ReferenceMissing", field, message });
  const walk = (value: Json, field: string): void => {
    if (Array.isArray(value)) for (const [at, item] of value.entries()) walk(item, `${field}[${at}]`);
    if (!isObject(value) || getOwn(value, "enabled") === false) return;
    for (const key of Object.keys(value)) {
      const filling = FILLINGS.get(key);
      if (filling === undefined) walk(value[key] as Json, `${field}.${key}`);
      else fill(value, key, filling, `${field}.${key}`);
    }
  };
  walk(spec, "spec");
  return { problems, waiting };
}
