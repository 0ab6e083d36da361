import { parseLabelSelector } from "@gatewright/kube";
import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import type { Reader, Unreadable } from "../reader.ts";

/** An object as tests write it. */
export type Written = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiObject["metadata"];
} & Record<string, unknown>;

/** What a reader was asked, and what it may not read. */
export interface MemoryReader extends Reader {
  readonly asked: string[];
}

/** Reads from a list of objects. `forbidden`: plurals of kinds that may not be read. */
export function memoryReader(objects: readonly Written[], forbidden: readonly string[] = []): MemoryReader {
  const asked: string[] = [];
  const isOf = ({ group, version, kind }: Resource, object: Written): boolean =>
    object.kind === kind && object.apiVersion === (group === "" ? version : `${group}/${version}`);
  const problem = (verb: string, { plural }: Resource): Unreadable => ({
    reason: "Forbidden",
    attempt: `${verb} ${plural}`,
    message: `you may not ${verb} ${plural}`,
  });
  return {
    asked,
    get: async <T extends ApiObject>(resource: Resource<T>, ref: { namespace?: string; name: string }) => {
      asked.push(`get ${resource.plural} ${ref.namespace ?? ""}/${ref.name}`);
      if (forbidden.includes(resource.plural)) return { state: "unknown", problem: problem("get", resource) };
      const found = objects.find(
        (each) => isOf(resource, each) && each.metadata.name === ref.name && each.metadata.namespace === ref.namespace,
      );
      return found === undefined ? { state: "absent" } : { state: "present", object: found as unknown as Immutable<T> };
    },
    list: async <T extends ApiObject>(resource: Resource<T>, selection: Parameters<Reader["list"]>[1]) => {
      const { namespace, labelSelector, fieldSelector } = selection;
      asked.push(`list ${resource.plural} ${namespace ?? "*"} ${labelSelector ?? fieldSelector ?? ""}`.trimEnd());
      if (forbidden.includes(resource.plural)) return { state: "unknown", problem: problem("list", resource) };
      const labels = parseLabelSelector(labelSelector ?? "");
      const items = objects.filter(
        (each) =>
          isOf(resource, each) &&
          (namespace === undefined || each.metadata.namespace === namespace) &&
          labels.matches(each.metadata.labels) &&
          (fieldSelector ?? "")
            .split(",")
            .filter((part) => part !== "")
            .every((part) => {
              const [path = "", value = ""] = part.split("=");
              return (
                String(path.split(".").reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], each)) ===
                value
              );
            }),
      );
      return { state: "known", items: items as unknown as readonly Immutable<T>[] };
    },
  };
}
