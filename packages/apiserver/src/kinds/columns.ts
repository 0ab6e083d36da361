import { humanDuration, parseTime } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import { structs, text } from "../resources/object-fields.ts";
import type { ColumnDefinition, TableColumns } from "../resources/resource.ts";

const COLUMN = /^([^@:]+)(?::(\w+))?(@1)?$/;

function definition(column: string): ColumnDefinition {
  const [, name = column, type = "string", wide] = COLUMN.exec(column) ?? [];
  return {
    name,
    type,
    format: name === "Name" ? "name" : "",
    description: "",
    priority: wide === undefined ? 0 : 1,
  };
}

/** Columns written as `Name`, `Desired:integer`, `Selector@1` (wide only). */
export function columns(names: readonly string[], cells: TableColumns["cells"]): TableColumns {
  return { definitions: names.map(definition), cells };
}

/** Go's time that is not set, which a bookmark shows. */
const ZERO_TIME = "0001-01-01T00:00:00Z";

/** What kinds without a printer of their own show. */
export const nameAndCreation: TableColumns = columns(["Name", "Created At:date"], (object) => [
  object.metadata.name ?? "",
  object.metadata.creationTimestamp ?? ZERO_TIME,
]);

/** How long ago a time was, in short: `85s`. */
export function since(time: Json | undefined, now: number): string {
  const ms = typeof time === "string" ? parseTime(time) : undefined;
  return ms === undefined ? "<unknown>" : humanDuration(now - ms);
}

/** How long an object has existed. */
export function age(object: KubeObject, now: number): string {
  return since(object.metadata.creationTimestamp, now);
}

/** `a=b,c=d` in order of keys; `<none>` for no labels. */
export function labelsText(labels: JsonObject | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${String(value)}`);
  return pairs.length === 0 ? "<none>" : pairs.toSorted().join(",");
}

/** Names and images of containers, as the wide columns have them. */
export function containerCells(podSpec: JsonObject | undefined): [names: string, images: string] {
  const containers = structs(podSpec, "containers");
  return [containers.map((c) => text(c, "name")).join(","), containers.map((c) => text(c, "image")).join(",")];
}

/** At most `max` items, and how many more there are. */
export function listWithMore(items: readonly string[], max: number, separator = ","): string {
  const shown = items.slice(0, max).join(separator);
  return items.length > max ? `${shown} + ${items.length - max} more...` : shown;
}
