import {
  at,
  child,
  deepEqual,
  duplicate,
  invalid,
  isDNS1035Label,
  isDNS1123Subdomain,
  isValidPortNum,
  required,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject, KubeObject } from "@gatewright/kube";
import { number, struct, structs, text, texts } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import {
  FAILURE_POLICIES,
  MATCH_POLICIES,
  matchConditionErrors,
  matchDefaults,
  ruleErrors,
} from "./admission-rule-validation.ts";
import type { MatchConditionErrors } from "./admission-rule-validation.ts";
import { builtIn } from "./built-in.ts";
import { optionalChoiceErrors } from "./choice-validation.ts";
import { age, columns } from "./columns.ts";
import { labelSelectorErrors } from "./label-selector-validation.ts";

const SIDE_EFFECTS = ["None", "NoneOnDryRun"];
const REINVOCATION = ["IfNeeded", "Never"];
const REVIEW_VERSIONS = ["v1", "v1beta1"];
const URL_FORM = "; desired format: https://host[/path]";

/** A name with at least three parts. */
function nameErrors(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [required(path)];
  const wrong = isDNS1123Subdomain(name);
  if (wrong.length > 0) return [invalid(path, name, wrong.join(","))];
  return name.split(".").length < 3
    ? [invalid(path, name, "should be a domain with at least three segments separated by dots")]
    : [];
}

function urlErrors(url: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const [, scheme = "", rest = url] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(url) ?? [];
  const [, authority = ""] = /^\/\/([^/?#]*)/.exec(rest) ?? [];
  const userEnd = authority.lastIndexOf("@");
  const fragment = url.split("#")[1] ?? "";
  const query = url.split("#")[0]!.split("?")[1] ?? "";
  if (scheme !== "https") errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme${URL_FORM}`));
  if (authority.slice(userEnd + 1) === "") errors.push(invalid(path, "", `host must be specified${URL_FORM}`));
  if (userEnd >= 0)
    errors.push(invalid(path, authority.slice(0, userEnd), "user information is not permitted in the URL"));
  if (fragment !== "") errors.push(invalid(path, fragment, "fragments are not permitted in the URL"));
  if (query !== "") errors.push(invalid(path, query, "query parameters are not permitted in the URL"));
  return errors;
}

function servicePathErrors(path: string, field: FieldPath): FieldError[] {
  if (path === "" || path === "/") return [];
  if (path === "//") return [invalid(field, path, "segment[0] may not be empty")];
  const errors = path.startsWith("/") ? [] : [invalid(field, path, "must start with a '/'")];
  path
    .slice(1)
    .replace(/\/$/, "")
    .split("/")
    .forEach((segment, i) => {
      if (segment === "") errors.push(invalid(field, path, `segment[${i}] may not be empty`));
      else errors.push(...isDNS1123Subdomain(segment).map((why) => invalid(field, path, `segment[${i}]: ${why}`)));
    });
  return errors;
}

/** Where a webhook is: a URL, or a service of the cluster. */
export function clientConfigErrors(config: JsonObject | undefined, path: FieldPath): FieldError[] {
  const [url, service] = [config?.["url"], struct(config, "service")];
  if ((url === undefined) === (service === undefined))
    return [required(path, "exactly one of url or service is required")];
  if (typeof url === "string") return urlErrors(url, child(path, "url"));
  const place = child(path, "service");
  const port = number(service, "port") ?? 443;
  const wrong = isValidPortNum(port);
  return [
    ...["name", "namespace"]
      .filter((field) => text(service, field) === "")
      .map((field) => required(child(place, field))),
    ...(wrong.length > 0 ? [invalid(child(place, "port"), port, `port is not valid: ${wrong.join(", ")}`)] : []),
    ...servicePathErrors(text(service, "path"), child(place, "path")),
  ];
}

function fieldChoiceErrors(hook: JsonObject, field: string, choices: readonly string[], path: FieldPath): FieldError[] {
  return optionalChoiceErrors(text(hook, field), choices, child(path, field));
}

function reviewVersionErrors(hook: JsonObject, path: FieldPath): FieldError[] {
  const versions = texts(hook, "admissionReviewVersions");
  if (versions.length === 0) return [required(path, `must specify one of ${REVIEW_VERSIONS.join(", ")}`)];
  const errors = versions.flatMap((version, i) => {
    if (versions.indexOf(version) < i) return [invalid(at(path, i), version, "duplicate version")];
    return isDNS1035Label(version).map((why) => invalid(at(path, i), version, why));
  });
  if (versions.some((version) => REVIEW_VERSIONS.includes(version))) return errors;
  return [...errors, invalid(path, [...versions], `must include at least one of ${REVIEW_VERSIONS.join(", ")}`)];
}

function hookErrors(hook: JsonObject, path: FieldPath, conditions: MatchConditionErrors | undefined): FieldError[] {
  const effects = hook["sideEffects"];
  const seconds = number(hook, "timeoutSeconds");
  const place = child(path, "matchConditions");
  return [
    ...nameErrors(text(hook, "name"), child(path, "name")),
    ...structs(hook, "rules").flatMap((rule, i) => ruleErrors(rule, at(child(path, "rules"), i))),
    ...fieldChoiceErrors(hook, "failurePolicy", FAILURE_POLICIES, path),
    ...fieldChoiceErrors(hook, "matchPolicy", MATCH_POLICIES, path),
    ...(typeof effects === "string"
      ? fieldChoiceErrors(hook, "sideEffects", SIDE_EFFECTS, path)
      : [required(child(path, "sideEffects"), `must specify one of ${SIDE_EFFECTS.join(", ")}`)]),
    ...(seconds !== undefined && (seconds < 1 || seconds > 30)
      ? [invalid(child(path, "timeoutSeconds"), seconds, "the timeout value must be between 1 and 30 seconds")]
      : []),
    ...labelSelectorErrors(struct(hook, "namespaceSelector"), child(path, "namespaceSelector")),
    ...labelSelectorErrors(struct(hook, "objectSelector"), child(path, "objectSelector")),
    ...fieldChoiceErrors(hook, "reinvocationPolicy", REINVOCATION, path),
    ...clientConfigErrors(struct(hook, "clientConfig"), child(path, "clientConfig")),
    ...matchConditionErrors(structs(hook, "matchConditions"), place),
    ...(conditions?.(hook["matchConditions"], place, false) ?? []),
    ...reviewVersionErrors(hook, child(path, "admissionReviewVersions")),
  ];
}

/** ValidatingWebhookConfiguration or MutatingWebhookConfiguration. */
export function webhookConfigurations(
  kind: "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration",
  conditions: MatchConditionErrors | undefined,
): Resource {
  const hooks = (object: KubeObject): readonly JsonObject[] => structs(object, "webhooks");
  return builtIn({
    group: "admissionregistration.k8s.io",
    kind,
    resource: `${kind.toLowerCase()}s`,
    namespaced: false,
    categories: ["api-extensions"],
    versions: [
      {
        version: "v1",
        defaults(object) {
          for (const hook of hooks(object)) {
            hook["failurePolicy"] ??= "Fail";
            matchDefaults(hook);
            hook["timeoutSeconds"] ??= 10;
            if (kind === "MutatingWebhookConfiguration") hook["reinvocationPolicy"] ??= "Never";
            const service = struct(hook, "clientConfig", "service");
            if (service) service["port"] ??= 443;
          }
        },
        columns: columns(["Name", "Webhooks:integer", "Age"], (object, now) => [
          object.metadata.name ?? "",
          hooks(object).length,
          age(object, now),
        ]),
      },
    ],
    strategy: {
      allowsUnconditionalUpdate: false,
      raisesGeneration: (object, old) => !deepEqual(object["webhooks"], old["webhooks"]),
      validate(object) {
        const names = new Set<string>();
        return hooks(object).flatMap((hook, i) => {
          const path = at("webhooks", i);
          const name = text(hook, "name");
          const errors = hookErrors(hook, path, conditions);
          if (name !== "" && names.has(name)) errors.push(duplicate(child(path, "name"), name));
          names.add(name);
          return errors;
        });
      },
    },
  });
}
