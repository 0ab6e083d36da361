import {
  at,
  child,
  duplicate,
  invalid,
  isDNS1123Label,
  isQualifiedName,
  isValidPortNum,
  required,
} from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject } from "@gatewright/kube";
import { count, number, structs, text } from "../resources/object-fields.ts";
import { choiceErrors } from "./choice-validation.ts";
import { portNumberOrNameErrors, PROTOCOLS } from "./port-validation.ts";

function portErrors(port: JsonObject, path: FieldPath, nameRequired: boolean, names: Set<string>): FieldError[] {
  const errors: FieldError[] = [];
  const name = text(port, "name");
  if (name === "") {
    if (nameRequired) errors.push(required(child(path, "name")));
  } else {
    errors.push(...isDNS1123Label(name).map((why) => invalid(child(path, "name"), name, why)));
    if (names.has(name)) errors.push(duplicate(child(path, "name"), name));
    names.add(name);
  }
  const value = count(port, "port");
  errors.push(...isValidPortNum(value).map((why) => invalid(child(path, "port"), value, why)));
  const protocol = text(port, "protocol");
  errors.push(...choiceErrors(protocol, PROTOCOLS, child(path, "protocol")));
  errors.push(...portNumberOrNameErrors(port["targetPort"] ?? 0, child(path, "targetPort")));
  const app = port["appProtocol"];
  if (typeof app === "string") {
    errors.push(...isQualifiedName(app).map((why) => invalid(child(path, "appProtocol"), app, why)));
  }
  return errors;
}

/** Each port by itself, and that their names differ. */
export function servicePortErrors(spec: JsonObject): FieldError[] {
  const ports = structs(spec, "ports");
  const names = new Set<string>();
  return ports.flatMap((port, i) => portErrors(port, at("spec.ports", i), ports.length > 1, names));
}

/** Ports that name the same thing twice. */
export function repeatedPortErrors(spec: JsonObject): FieldError[] {
  const ports = structs(spec, "ports");
  const repeats = (keyOf: (port: JsonObject) => string | undefined): [JsonObject, number][] => {
    const seen = new Set<string>();
    return ports.flatMap((port, i): [JsonObject, number][] => {
      const id = keyOf(port);
      if (id === undefined || !seen.has(id)) {
        if (id !== undefined) seen.add(id);
        return [];
      }
      return [[port, i]];
    });
  };
  const nodePorts = repeats((port) =>
    number(port, "nodePort") ? `${text(port, "protocol")}/${number(port, "nodePort")}` : undefined,
  );
  const same = repeats((port) => `${text(port, "protocol")}/${number(port, "port")}`);
  return [
    ...nodePorts.map(([port, i]) => duplicate(child(at("spec.ports", i), "nodePort"), number(port, "nodePort")!)),
    ...same.map(([port, i]) => {
      const shown = {
        Name: "",
        Protocol: text(port, "protocol"),
        AppProtocol: null,
        Port: count(port, "port"),
        TargetPort: 0,
        NodePort: 0,
      };
      return duplicate(at("spec.ports", i), shown);
    }),
  ];
}
