import { child, forbiddenField, invalid, isHTTPHeaderName, notSupported, required } from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { count, number, struct, structs, text, texts } from "../resources/object-fields.ts";
import { nonNegativeErrors } from "./number-validation.ts";
import { portNumberOrNameErrors } from "./port-validation.ts";

function httpGetErrors(get: JsonObject, path: FieldPath): FieldError[] {
  const scheme = text(get, "scheme");
  return [
    ...(text(get, "path") === "" ? [required(child(path, "path"))] : []),
    ...portNumberOrNameErrors(get["port"] ?? 0, child(path, "port")),
    ...(scheme === "HTTP" || scheme === "HTTPS"
      ? []
      : [notSupported(child(path, "scheme"), scheme, ["HTTP", "HTTPS"])]),
    ...structs(get, "httpHeaders").flatMap((header) =>
      isHTTPHeaderName(text(header, "name")).map((why) =>
        invalid(child(path, "httpHeaders"), text(header, "name"), why),
      ),
    ),
  ];
}

type HandlerRule = (handler: JsonObject, path: FieldPath, grace: number | undefined) => FieldError[];

const HANDLERS: readonly (readonly [string, HandlerRule])[] = [
  ["exec", (exec, path) => (texts(exec, "command").length === 0 ? [required(child(path, "command"))] : [])],
  ["httpGet", httpGetErrors],
  ["tcpSocket", (tcp, path) => portNumberOrNameErrors(tcp["port"] ?? 0, child(path, "port"))],
  ["grpc", (grpc, path) => portNumberOrNameErrors(grpc["port"] ?? 0, child(path, "port"))],
  [
    "sleep",
    (sleep, path, grace) => {
      const seconds = count(sleep, "seconds");
      if (grace === undefined || (seconds >= 0 && seconds <= grace)) return [];
      return [invalid(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace})`)];
    },
  ],
];

/** Exactly one way to act: a command, a request, a connection, a pause. */
function handlerErrors(holder: JsonObject, path: FieldPath, grace: number | undefined): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  for (const [name, rule] of HANDLERS) {
    const handler = struct(holder, name);
    if (!handler) continue;
    if (found) errors.push(forbiddenField(child(path, name), "may not specify more than 1 handler type"));
    else errors.push(...rule(handler, child(path, name), grace));
    found = true;
  }
  return found ? errors : [required(path, "must specify a handler type")];
}

function probeErrors(probe: JsonObject, path: FieldPath, grace: number | undefined): FieldError[] {
  const errors = handlerErrors(probe, path, grace);
  for (const field of [
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
  ]) {
    errors.push(...nonNegativeErrors(number(probe, field), child(path, field)));
  }
  const own = number(probe, "terminationGracePeriodSeconds");
  if (own !== undefined && own <= 0) {
    errors.push(invalid(child(path, "terminationGracePeriodSeconds"), own, "must be greater than 0"));
  }
  return errors;
}

/** The three probes of a container. */
export function probesErrors(container: JsonObject, path: FieldPath, grace: number | undefined): FieldError[] {
  return ["livenessProbe", "readinessProbe", "startupProbe"].flatMap((name) => {
    const probe = struct(container, name);
    if (!probe) return [];
    const at = child(path, name);
    const errors = probeErrors(probe, at, grace);
    if (name === "readinessProbe") {
      const own = number(probe, "terminationGracePeriodSeconds");
      const why = "must not be set for readinessProbes";
      if (own !== undefined) errors.push(invalid(child(at, "terminationGracePeriodSeconds"), own, why));
    } else if (number(probe, "successThreshold") !== 1) {
      errors.push(invalid(child(at, "successThreshold"), count(probe, "successThreshold"), "must be 1"));
    }
    return errors;
  });
}

export function lifecycleErrors(container: JsonObject, path: FieldPath, grace: number | undefined): FieldError[] {
  const lifecycle = struct(container, "lifecycle");
  return ["postStart", "preStop"].flatMap((name) => {
    const handler = struct(lifecycle, name);
    return handler ? handlerErrors(handler, child(path, "lifecycle", name), grace) : [];
  });
}
