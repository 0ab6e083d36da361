import { isIP } from "node:net";
import {
  at,
  child,
  deepEqual,
  duplicate,
  invalid,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidLabelValue,
  notSupported,
  required,
  tooMany,
  validateImmutable,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject, KubeObject } from "@gatewright/kube";
import { number, setDefault, struct, structs, text, texts } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn } from "./built-in.ts";
import { choiceErrors } from "./choice-validation.ts";
import { age, columns, listWithMore } from "./columns.ts";
import { endpointIPErrors, ipErrors } from "./ip-validation.ts";
import { PROTOCOLS } from "./port-validation.ts";

const ADDRESS_TYPES = ["FQDN", "IPv4", "IPv6"];
const [MAX_ENDPOINTS, MAX_ADDRESSES, MAX_PORTS, MAX_HINTS] = [1000, 100, 20_000, 8];

function addressErrors(address: string, type: string, list: FieldPath, path: FieldPath): FieldError[] {
  if (type === "FQDN") return isDNS1123Subdomain(address).map((why) => invalid(path, address, why));
  if (type !== "IPv4" && type !== "IPv6") return [];
  const errors = ipErrors(address, path);
  if (errors.length > 0) return errors;
  if (`IPv${isIP(address)}` !== type) errors.push(invalid(list, address, `must be an ${type} address`));
  return [...errors, ...endpointIPErrors(address, path)];
}

function hintErrors(
  hints: JsonObject | undefined,
  field: string,
  rule: (name: string) => string[],
  path: FieldPath,
): FieldError[] {
  const names = structs(hints, field).map((hint) => text(hint, "name"));
  const place = child(path, field);
  if (names.length > MAX_HINTS) return [tooMany(place, names.length, MAX_HINTS)];
  return names.flatMap((name, i) => {
    const at_ = child(at(place, i), "name");
    return [
      ...(names.indexOf(name) < i ? [duplicate(at_, name)] : []),
      ...rule(name).map((why) => invalid(at_, name, why)),
    ];
  });
}

function endpointErrors(object: KubeObject): FieldError[] {
  const endpoints = structs(object, "endpoints");
  if (endpoints.length > MAX_ENDPOINTS) return [tooMany("endpoints", endpoints.length, MAX_ENDPOINTS)];
  return endpoints.flatMap((endpoint, i) => {
    const path = at("endpoints", i);
    const list = child(path, "addresses");
    const addresses = texts(endpoint, "addresses");
    const [node, hostname] = [endpoint["nodeName"], endpoint["hostname"]];
    const errors: FieldError[] = [];
    if (addresses.length === 0) errors.push(required(list, "must contain at least 1 address"));
    else if (addresses.length > MAX_ADDRESSES) errors.push(tooMany(list, addresses.length, MAX_ADDRESSES));
    addresses.forEach((address, j) =>
      errors.push(...addressErrors(address, text(object, "addressType"), list, at(list, j))),
    );
    if (typeof node === "string") {
      errors.push(...isDNS1123Subdomain(node).map((why) => invalid(child(path, "nodeName"), node, why)));
    }
    if (typeof hostname === "string") {
      errors.push(...isDNS1123Label(hostname).map((why) => invalid(child(path, "hostname"), hostname, why)));
    }
    const hints = struct(endpoint, "hints");
    errors.push(...hintErrors(hints, "forZones", isValidLabelValue, child(path, "hints")));
    return [...errors, ...hintErrors(hints, "forNodes", isDNS1123Subdomain, child(path, "hints"))];
  });
}

function portErrors(object: KubeObject): FieldError[] {
  const ports = structs(object, "ports");
  if (ports.length > MAX_PORTS) return [tooMany("ports", ports.length, MAX_PORTS)];
  const names = new Set<string>();
  return ports.flatMap((port, i) => {
    const path = at("ports", i);
    const [name, protocol, app] = [text(port, "name"), text(port, "protocol"), port["appProtocol"]];
    const errors = name === "" ? [] : isDNS1123Label(name).map((why) => invalid(child(path, "name"), name, why));
    if (names.has(name)) errors.push(duplicate(child(path, "name"), name));
    names.add(name);
    errors.push(...choiceErrors(protocol, PROTOCOLS, child(path, "protocol")));
    if (typeof app === "string")
      errors.push(...isQualifiedName(app).map((why) => invalid(child(path, "appProtocol"), app, why)));
    return errors;
  });
}

function sliceErrors(object: KubeObject, old: KubeObject | undefined): FieldError[] {
  const type = text(object, "addressType");
  const unchanged = old !== undefined && deepEqual(old["endpoints"], object["endpoints"]);
  return [
    ...(type === ""
      ? [required("addressType")]
      : ADDRESS_TYPES.includes(type)
        ? []
        : [notSupported("addressType", type, ADDRESS_TYPES)]),
    ...portErrors(object),
    ...(unchanged ? [] : endpointErrors(object)),
  ];
}

/** Everything besides metadata, and those labels that controllers read. */
function changed(object: KubeObject, old: KubeObject): boolean {
  return (
    !["endpoints", "ports"].every((field) => deepEqual(object[field], old[field])) ||
    !deepEqual(object.metadata.labels ?? {}, old.metadata.labels ?? {})
  );
}

export function endpointSlices(): Resource {
  return builtIn({
    group: "discovery.k8s.io",
    kind: "EndpointSlice",
    resource: "endpointslices",
    namespaced: true,
    versions: [
      {
        version: "v1",
        defaults(object) {
          for (const port of structs(object, "ports")) {
            setDefault(port, "name", "");
            setDefault(port, "protocol", "TCP");
          }
        },
        columns: columns(["Name", "AddressType", "Ports", "Endpoints", "Age"], (object, now) => {
          const ports = structs(object, "ports").map((port) => {
            const value = number(port, "port");
            return value === undefined ? (typeof port["name"] === "string" ? port["name"] : "*") : String(value);
          });
          const addresses = structs(object, "endpoints").flatMap((endpoint) => texts(endpoint, "addresses"));
          return [
            object.metadata.name ?? "",
            text(object, "addressType"),
            listWithMore(ports, 3) || "<unset>",
            listWithMore(addresses, 3) || "<unset>",
            age(object, now),
          ];
        }),
      },
    ],
    strategy: {
      raisesGeneration: changed,
      validateCreate: (object) => sliceErrors(object, undefined),
      validateUpdate: (object, old) => [
        ...sliceErrors(object, old),
        ...validateImmutable(text(object, "addressType"), text(old, "addressType"), "addressType"),
      ],
    },
  });
}
