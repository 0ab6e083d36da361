import {
  at,
  child,
  forbiddenField,
  inclusiveRangeError,
  invalid,
  isDNS1035Label,
  isDNS1123Subdomain,
  notSupported,
  required,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { number, struct, text, texts } from "../resources/object-fields.ts";

const REVIEW_VERSIONS = ["v1", "v1beta1"];
const FORM = "; desired format: https://host[/path]";

/** What is wrong with `spec.conversion`. Paths are those of the internal type, which errors have always shown. */
export function* conversionErrors(conversion: JsonObject, path: FieldPath): Generator<FieldError> {
  const strategy = text(conversion, "strategy");
  const webhook = struct(conversion, "webhook");
  const client = struct(webhook, "clientConfig");
  const versions = texts(webhook, "conversionReviewVersions");
  const clientPath = child(path, "webhookClientConfig");
  const versionsPath = child(path, "conversionReviewVersions");
  if (strategy === "") yield required(child(path, "strategy"));
  else if (strategy !== "None" && strategy !== "Webhook") {
    yield notSupported(child(path, "strategy"), strategy, ["None", "Webhook"]);
  }
  if (strategy !== "Webhook") {
    const why = "should not be set when strategy is not set to Webhook";
    if (client) yield forbiddenField(clientPath, why);
    if (versions.length > 0) yield forbiddenField(versionsPath, why);
    return;
  }
  if (!client) yield required(clientPath, "required when strategy is set to Webhook");
  else yield* clientErrors(client, clientPath);
  yield* reviewVersionErrors(versions, versionsPath);
}

function* clientErrors(client: JsonObject, path: FieldPath): Generator<FieldError> {
  const service = struct(client, "service");
  const url = client["url"];
  if ((typeof url === "string") === (service !== undefined)) {
    yield required(path, "exactly one of url or service is required");
  } else if (typeof url === "string") {
    yield* urlErrors(url, child(path, "url"));
  } else if (service) {
    yield* serviceErrors(service, child(path, "service"));
  }
}

function* urlErrors(url: string, path: FieldPath): Generator<FieldError> {
  const parts = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(url);
  const [scheme, authority, query, fragment] = [parts?.[1] ?? "", parts?.[2] ?? "", parts?.[4] ?? "", parts?.[5] ?? ""];
  const user = authority.includes("@") ? authority.slice(0, authority.lastIndexOf("@")) : undefined;
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  if (scheme !== "https") yield invalid(path, scheme, `'https' is the only allowed URL scheme${FORM}`);
  if (host === "") yield invalid(path, host, `host must be specified${FORM}`);
  if (user !== undefined) yield invalid(path, user, "user information is not permitted in the URL");
  if (fragment !== "") yield invalid(path, fragment, "fragments are not permitted in the URL");
  if (query !== "") yield invalid(path, query, "query parameters are not permitted in the URL");
}

function* serviceErrors(service: JsonObject, path: FieldPath): Generator<FieldError> {
  // The two names are told in each other's place: that is what the API server does.
  if (text(service, "namespace") === "") yield required(child(path, "name"));
  if (text(service, "name") === "") yield required(child(path, "namespace"));
  const port = number(service, "port") ?? 443;
  if (port < 1 || port > 65535) {
    yield invalid(child(path, "port"), port, `port is not valid: ${inclusiveRangeError(1, 65535)}`);
  }
  yield* pathErrors(text(service, "path"), child(path, "path"));
}

function* pathErrors(urlPath: string, path: FieldPath): Generator<FieldError> {
  if (urlPath === "" || urlPath === "/") return;
  if (urlPath === "//") {
    yield invalid(path, urlPath, "segment[0] may not be empty");
    return;
  }
  if (!urlPath.startsWith("/")) yield invalid(path, urlPath, "must start with a '/'");
  const steps = urlPath.slice(1).replace(/\/$/, "").split("/");
  for (const [i, step] of steps.entries()) {
    if (step === "") yield invalid(path, urlPath, `segment[${i}] may not be empty`);
    else for (const why of isDNS1123Subdomain(step)) yield invalid(path, urlPath, `segment[${i}]: ${why}`);
  }
}

function* reviewVersionErrors(versions: readonly string[], path: FieldPath): Generator<FieldError> {
  if (versions.length === 0) {
    yield required(path);
    return;
  }
  for (const [i, version] of versions.entries()) {
    if (versions.indexOf(version) < i) yield invalid(at(path, i), version, "duplicate version");
    else for (const why of isDNS1035Label(version)) yield invalid(at(path, i), version, why);
  }
  if (!versions.some((version) => REVIEW_VERSIONS.includes(version))) {
    yield invalid(path, [...versions], `must include at least one of ${REVIEW_VERSIONS.join(", ")}`);
  }
}
