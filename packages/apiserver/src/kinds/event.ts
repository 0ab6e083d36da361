import { isPathSegmentName, nameIsDNSSubdomain } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import { count, struct, text } from "../resources/object-fields.ts";
import type { Resource, TableColumns } from "../resources/resource.ts";
import { builtIn } from "./built-in.ts";
import type { StrategyParts } from "./built-in.ts";
import { columns, since } from "./columns.ts";
import { eventCreateErrors, eventUpdateErrors } from "./event-validation.ts";

/** Field names in the core group and in events.k8s.io, where they differ. */
const RENAMED: readonly (readonly [core: string, events: string])[] = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["reportingComponent", "reportingController"],
];

const CORE = "v1";
const EVENTS = "events.k8s.io/v1";

function rename(object: KubeObject, apiVersion: string, pairs: readonly (readonly [string, string])[]): KubeObject {
  const renamed: KubeObject = { ...object, apiVersion };
  for (const [from, to] of pairs) {
    if (!Object.hasOwn(object, from)) continue;
    renamed[to] = object[from]!;
    delete renamed[from];
  }
  return renamed;
}

/** An Event as the core group has it, whichever group it was written through. */
export function asCoreEvent(object: KubeObject): KubeObject {
  if (object.apiVersion === CORE) return object;
  const core = rename(
    object,
    CORE,
    RENAMED.map(([to, from]) => [from, to]),
  );
  core["reportingComponent"] ??= "";
  core["reportingInstance"] ??= "";
  return core;
}

/** An Event as events.k8s.io has it. */
export function asEventsEvent(object: KubeObject): KubeObject {
  if (object.apiVersion === EVENTS) return object;
  const event = rename(object, EVENTS, RENAMED);
  if (event["reportingController"] === "") delete event["reportingController"];
  if (event["reportingInstance"] === "") delete event["reportingInstance"];
  const series = struct(event, "series");
  if (series) event["series"] = { ...series, count: count(series, "count") };
  return event;
}

function cells(object: KubeObject, now: number): (string | number)[] {
  const event = asCoreEvent(object);
  const target = struct(event, "involvedObject");
  const source = struct(event, "source");
  const series = struct(event, "series");
  const first = since(event["firstTimestamp"] ?? event["eventTime"], now);
  const last = series
    ? since(series["lastObservedTime"], now)
    : event["lastTimestamp"]
      ? since(event["lastTimestamp"], now)
      : first;
  const kind = text(target, "kind").toLowerCase();
  const name = text(target, "name");
  const host = text(source, "host") || text(event, "reportingInstance");
  const component = text(source, "component") || text(event, "reportingComponent");
  return [
    last,
    text(event, "type"),
    text(event, "reason"),
    name === "" ? kind : `${kind}/${name}`,
    text(target, "fieldPath"),
    host === "" ? component : `${component}, ${host}`,
    text(event, "message").trim(),
    first,
    series ? count(series, "count") : count(event, "count") || 1,
    event.metadata.name ?? "",
  ];
}

const eventColumns: TableColumns = columns(
  ["Last Seen", "Type", "Reason", "Object", "Subobject@1", "Source@1", "Message", "First Seen@1", "Count@1", "Name@1"],
  cells,
);

const of =
  (read: (event: KubeObject) => string) =>
  (object: KubeObject): string =>
    read(asCoreEvent(object));

function targetLabels(prefix: string): Record<string, (object: KubeObject) => string> {
  const fields = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];
  return Object.fromEntries(
    fields.map((field) => [`${prefix}.${field}`, of((event) => text(struct(event, "involvedObject"), field))]),
  );
}

const commonLabels = {
  reason: of((event) => text(event, "reason")),
  type: of((event) => text(event, "type")),
};

function strategy(group: string, fieldLabels: StrategyParts["fieldLabels"]): StrategyParts {
  const strict = group !== "";
  return {
    allowsCreateOnUpdate: true,
    nameErrors: strict ? nameIsDNSSubdomain : (name) => isPathSegmentName(name),
    validateCreate: (object) => eventCreateErrors(asCoreEvent(object), strict),
    validateUpdate: (object, old) => eventUpdateErrors(asCoreEvent(object), asCoreEvent(old), strict),
    fieldLabels: fieldLabels ?? {},
  };
}

/**
 * Events of one group. Both groups share a table; an Event is stored as it was written and brought to the group that reads
 * it, so stored bytes are never served as they are.
 */
export function events(group: "" | "events.k8s.io"): Resource {
  const core = group === "";
  return builtIn({
    group,
    kind: "Event",
    resource: "events",
    namespaced: true,
    shortNames: ["ev"],
    table: "events",
    versions: [{ version: "v1", columns: eventColumns }],
    strategy: strategy(
      group,
      core
        ? {
            ...targetLabels("involvedObject"),
            ...commonLabels,
            source: of((event) => text(struct(event, "source"), "component") || text(event, "reportingComponent")),
            reportingComponent: of((event) => text(event, "reportingComponent")),
          }
        : {
            ...targetLabels("regarding"),
            ...commonLabels,
            reportingController: of((event) => text(event, "reportingComponent")),
          },
    ),
    convert: core ? asCoreEvent : asEventsEvent,
    servesStoredBytes: false,
  });
}
