import { deepEqual, invalid, isDNS1123Subdomain, isQualifiedName, required, validateImmutable } from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import { count, number, struct, text } from "../resources/object-fields.ts";

const LIMITS = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const;

function tooLongErrors(event: KubeObject, field: keyof typeof LIMITS): FieldError[] {
  const max = LIMITS[field];
  return Buffer.byteLength(text(event, field)) > max ? [invalid(field, "", `can have at most ${max} characters`)] : [];
}

function namespaceErrors(event: KubeObject, namespace: string): FieldError[] {
  const target = text(struct(event, "involvedObject"), "namespace");
  const home = event["eventTime"] ? ["default", "kube-system"] : ["", "default"];
  const agrees = target === "" ? home.includes(namespace) : Boolean(event["eventTime"]) || namespace === target;
  return agrees ? [] : [invalid("involvedObject.namespace", target, "does not match event.namespace")];
}

/** Rules for Events of the new style, that is with `eventTime`, written through either group. */
function newStyleErrors(event: KubeObject, reporter: string): FieldError[] {
  const controller = text(event, "reportingComponent");
  const needed = (field: string): FieldError[] => (text(event, field) === "" ? [required(field)] : []);
  return [
    ...(controller === "" ? [required(reporter)] : []),
    ...isQualifiedName(controller).map((why) => invalid(reporter, controller, why)),
    ...needed("reportingInstance"),
    ...tooLongErrors(event, "reportingInstance"),
    ...needed("action"),
    ...tooLongErrors(event, "action"),
    ...needed("reason"),
    ...tooLongErrors(event, "reason"),
    ...tooLongErrors(event, "message"),
  ];
}

function basicErrors(event: KubeObject, strict: boolean): FieldError[] {
  const namespace = event.metadata.namespace ?? "";
  return [
    ...namespaceErrors(event, namespace),
    ...(event["eventTime"] ? newStyleErrors(event, strict ? "reportingController" : "reportingComponent") : []),
    ...isDNS1123Subdomain(namespace).map((why) => invalid("namespace", namespace, why)),
  ];
}

function seriesErrors(series: JsonObject | undefined): FieldError[] {
  if (!series) return [];
  return [
    ...(count(series, "count") < 2 ? [invalid("series.count", "", "should be at least 2")] : []),
    ...(series["lastObservedTime"] ? [] : [required("series.lastObservedTime")]),
  ];
}

/** What is wrong with a new Event in its core form. `strict`: it was written through events.k8s.io. */
export function eventCreateErrors(event: KubeObject, strict: boolean): FieldError[] {
  const errors = basicErrors(event, strict);
  if (!strict) return errors;
  const type = text(event, "type");
  const source = struct(event, "source");
  const unset = (field: string, isSet: unknown): FieldError[] =>
    isSet ? [invalid(field, "", "needs to be unset")] : [];
  return [
    ...errors,
    ...seriesErrors(struct(event, "series")),
    ...(event["eventTime"] ? [] : [required("eventTime")]),
    ...(type === "Normal" || type === "Warning" ? [] : [invalid("type", "", `has invalid value: ${type}`)]),
    ...unset("firstTimestamp", event["firstTimestamp"]),
    ...unset("lastTimestamp", event["lastTimestamp"]),
    ...unset("count", number(event, "count")),
    ...unset("source", text(source, "component") || text(source, "host")),
  ];
}

const IMMUTABLE_FIELDS = [
  "involvedObject",
  "reason",
  "message",
  "source",
  "firstTimestamp",
  "lastTimestamp",
  "count",
  "type",
  "eventTime",
  "action",
  "related",
  "reportingComponent",
  "reportingInstance",
] as const;

/** What is wrong with a changed Event: through events.k8s.io only the series may change. */
export function eventUpdateErrors(event: KubeObject, old: KubeObject, strict: boolean): FieldError[] {
  const errors = basicErrors(event, strict);
  if (!strict) return errors;
  if (!deepEqual(event["series"], old["series"])) errors.push(...seriesErrors(struct(event, "series")));
  for (const field of IMMUTABLE_FIELDS) {
    const told = field === "reportingComponent" ? "reportingController" : field;
    errors.push(...validateImmutable(event[field] ?? null, old[field] ?? null, told));
  }
  return errors;
}
