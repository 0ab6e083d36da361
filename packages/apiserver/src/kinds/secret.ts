import {
  getOwn,
  invalid,
  isConfigMapKey,
  isObject,
  key,
  required,
  setOwn,
  tooLong,
  validateImmutable,
} from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import { entries, setDefault, struct, text, textAt } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn } from "./built-in.ts";
import { age, columns } from "./columns.ts";
import { immutableDataErrors, MAX_DATA_BYTES } from "./config-map.ts";

const SERVICE_ACCOUNT = "kubernetes.io/service-account.name";

/** `stringData` is a way to write `data`: it is never stored. */
function foldStringData(object: KubeObject): void {
  const plain = struct(object, "stringData");
  delete object["stringData"];
  if (!plain) return;
  const data = new Map(entries(object, "data"));
  for (const [name, value] of Object.entries(plain)) data.set(name, Buffer.from(value as string).toString("base64"));
  const folded: JsonObject = {};
  for (const name of [...data.keys()].toSorted()) setOwn(folded, name, data.get(name)!);
  if (data.size > 0) object["data"] = folded;
}

function bytes(data: JsonObject, name: string): Buffer | undefined {
  const value = getOwn(data, name);
  return typeof value === "string" ? Buffer.from(value, "base64") : undefined;
}

function jsonErrors(data: JsonObject, name: string): FieldError[] {
  const content = bytes(data, name);
  if (content === undefined) return [required(key("data", name))];
  const why = notAnObject(content.toString());
  return why === undefined ? [] : [invalid(key("data", name), "<secret contents redacted>", why)];
}

/** Why a text is no JSON object, without telling more of it than its first character. */
function notAnObject(content: string): string | undefined {
  const first = content.trimStart()[0];
  try {
    const value: unknown = JSON.parse(content);
    if (isObject(value) || value === null) return undefined;
    const type = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
    return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
  } catch {
    const begun = first === undefined || '{["-0123456789tfn'.includes(first);
    return begun ? "unexpected end of JSON input" : `invalid character '${first}' looking for beginning of value`;
  }
}

/** What the well-known types of secrets must contain. */
function typeErrors(object: KubeObject, data: JsonObject): FieldError[] {
  const missing = (...names: readonly string[]): FieldError[] => names.map((name) => required(key("data", name)));
  const absent = (name: string): boolean => getOwn(data, name) === undefined;
  switch (text(object, "type")) {
    case "kubernetes.io/service-account-token":
      return textAt(object.metadata.annotations, SERVICE_ACCOUNT)
        ? []
        : [required(key("metadata.annotations", SERVICE_ACCOUNT))];
    case "kubernetes.io/dockercfg":
      return jsonErrors(data, ".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return jsonErrors(data, ".dockerconfigjson");
    case "kubernetes.io/basic-auth":
      return absent("username") && absent("password") ? missing("username", "password") : [];
    case "kubernetes.io/ssh-auth":
      return textAt(data, "ssh-privatekey") ? [] : missing("ssh-privatekey");
    case "kubernetes.io/tls":
      return missing(...["tls.crt", "tls.key"].filter(absent));
    default:
      return [];
  }
}

function secretErrors(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [name, value] of entries(object, "data")) {
    errors.push(...isConfigMapKey(name).map((why) => invalid(key("data", name), name, why)));
    size += Buffer.byteLength(value as string, "base64");
  }
  if (size > MAX_DATA_BYTES) errors.push(tooLong("data", MAX_DATA_BYTES));
  return [...errors, ...typeErrors(object, struct(object, "data") ?? {})];
}

export function secrets(): Resource {
  return builtIn({
    group: "",
    kind: "Secret",
    resource: "secrets",
    namespaced: true,
    versions: [
      {
        version: "v1",
        defaults(object) {
          foldStringData(object);
          setDefault(object, "type", "Opaque");
        },
        columns: columns(["Name", "Type", "Data", "Age"], (object, now) => [
          object.metadata.name ?? "",
          text(object, "type"),
          entries(object, "data").length,
          age(object, now),
        ]),
      },
    ],
    strategy: {
      validate: secretErrors,
      validateChange: (object, old) => [
        ...validateImmutable(object["type"] ?? "", old["type"] ?? "", "type"),
        ...immutableDataErrors(object, old, ["data"]),
      ],
      fieldLabels: { type: (object) => text(object, "type") },
    },
  });
}
