import {
  at,
  child,
  deepEqual,
  invalid,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  required,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject, KubeObject } from "@gatewright/kube";
import { count, setDefault, structs, text } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn } from "./built-in.ts";
import { choiceErrors } from "./choice-validation.ts";
import { age, columns } from "./columns.ts";
import { endpointIPErrors, ipErrors } from "./ip-validation.ts";
import { portNumberErrors, PROTOCOLS } from "./port-validation.ts";

const DEPRECATED = "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";

function addressErrors(address: JsonObject, path: FieldPath): FieldError[] {
  const [ip, hostname, node] = [text(address, "ip"), text(address, "hostname"), address["nodeName"]];
  return [
    ...ipErrors(ip, child(path, "ip")),
    ...(hostname === "" ? [] : isDNS1123Label(hostname).map((why) => invalid(child(path, "hostname"), hostname, why))),
    ...(typeof node === "string"
      ? isDNS1123Subdomain(node).map((why) => invalid(child(path, "nodeName"), node, why))
      : []),
    ...endpointIPErrors(ip, child(path, "ip")),
  ];
}

function portErrors(port: JsonObject, path: FieldPath, nameRequired: boolean): FieldError[] {
  const [name, protocol, app] = [text(port, "name"), text(port, "protocol"), port["appProtocol"]];
  return [
    ...(name === ""
      ? nameRequired
        ? [required(child(path, "name"))]
        : []
      : isDNS1123Label(name).map((why) => invalid(child(path, "name"), name, why))),
    ...portNumberErrors(count(port, "port"), child(path, "port")),
    ...choiceErrors(protocol, PROTOCOLS, child(path, "protocol")),
    ...(typeof app === "string"
      ? isQualifiedName(app).map((why) => invalid(child(path, "appProtocol"), app, why))
      : []),
  ];
}

function subsetErrors(object: KubeObject): FieldError[] {
  return structs(object, "subsets").flatMap((subset, i) => {
    const path = at("subsets", i);
    const [ready, notReady, ports] = ["addresses", "notReadyAddresses", "ports"].map((field) =>
      structs(subset, field),
    ) as [readonly JsonObject[], readonly JsonObject[], readonly JsonObject[]];
    return [
      ...(ready.length + notReady.length === 0
        ? [required(path, "must specify `addresses` or `notReadyAddresses`")]
        : []),
      ...ready.flatMap((address, j) => addressErrors(address, at(child(path, "addresses"), j))),
      ...notReady.flatMap((address, j) => addressErrors(address, at(child(path, "notReadyAddresses"), j))),
      ...ports.flatMap((port, j) => portErrors(port, at(child(path, "ports"), j), ports.length > 1)),
    ];
  });
}

const hostPort = (ip: string, port: number): string => (ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`);

/** The first three addresses with each port, and how many more there are. */
function endpointsText(object: KubeObject): string {
  const subsets = structs(object, "subsets");
  if (subsets.length === 0) return "<none>";
  const all = subsets.flatMap((subset) => {
    const ips = structs(subset, "addresses").map((address) => text(address, "ip"));
    const ports = structs(subset, "ports").map((port) => count(port, "port"));
    return ports.length === 0 ? ips : ports.flatMap((port) => ips.map((ip) => hostPort(ip, port)));
  });
  const shown = all.slice(0, 3).join(",");
  return all.length > 3 ? `${shown} + ${all.length - 3} more...` : shown;
}

export function endpoints(): Resource {
  return builtIn({
    group: "",
    kind: "Endpoints",
    resource: "endpoints",
    namespaced: true,
    shortNames: ["ep"],
    versions: [
      {
        version: "v1",
        deprecationWarning: DEPRECATED,
        defaults(object) {
          for (const subset of structs(object, "subsets")) {
            for (const port of structs(subset, "ports")) setDefault(port, "protocol", "TCP");
          }
        },
        columns: columns(["Name", "Endpoints", "Age"], (object, now) => [
          object.metadata.name ?? "",
          endpointsText(object),
          age(object, now),
        ]),
      },
    ],
    strategy: {
      allowsCreateOnUpdate: true,
      validateCreate: subsetErrors,
      validateUpdate: (object, old) => (deepEqual(object["subsets"], old["subsets"]) ? [] : subsetErrors(object)),
    },
  });
}
