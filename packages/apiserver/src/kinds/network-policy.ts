import { isIP } from "node:net";
import { at, child, forbiddenField, invalid, isValidPortName, notSupported, required } from "@gatewright/kube";
import type { FieldError, FieldPath, JsonObject, KubeObject } from "@gatewright/kube";
import { number, setDefault, specOf, struct, structs, text, texts } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn, specChanged } from "./built-in.ts";
import { choiceErrors } from "./choice-validation.ts";
import { age, columns } from "./columns.ts";
import { addressBits, cidrErrors } from "./ip-validation.ts";
import { labelSelectorCell } from "./label-selector.ts";
import { labelSelectorErrors } from "./label-selector-validation.ts";
import { portNumberErrors } from "./port-validation.ts";

const PROTOCOLS = ["TCP", "UDP", "SCTP"];
const TYPES = ["Ingress", "Egress"];

/** Both directions of a policy, with the field that names the peers. */
const DIRECTIONS = [
  ["ingress", "from"],
  ["egress", "to"],
] as const;

function defaults(object: KubeObject): void {
  const spec = specOf(object);
  if (texts(spec, "policyTypes").length === 0) {
    spec["policyTypes"] = structs(spec, "egress").length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
  }
  for (const [direction] of DIRECTIONS) {
    for (const rule of structs(spec, direction)) {
      for (const port of structs(rule, "ports")) setDefault(port, "protocol", "TCP");
    }
  }
}

function portErrors(port: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const protocol = port["protocol"];
  if (typeof protocol === "string" && !PROTOCOLS.includes(protocol)) {
    errors.push(notSupported(child(path, "protocol"), protocol, PROTOCOLS));
  }
  const [value, end] = [port["port"], number(port, "endPort")];
  const place = child(path, "endPort");
  if (value === undefined) {
    if (end !== undefined) errors.push(invalid(place, end, "may not be specified when `port` is not specified"));
  } else if (typeof value === "number") {
    errors.push(...portNumberErrors(value, child(path, "port")));
    if (end !== undefined) {
      if (end < value) errors.push(invalid(place, value, "must be greater than or equal to `port`"));
      errors.push(...portNumberErrors(end, place));
    }
  } else {
    if (end !== undefined) errors.push(invalid(place, end, "may not be specified when `port` is non-numeric"));
    errors.push(...isValidPortName(String(value)).map((why) => invalid(child(path, "port"), value, why)));
  }
  return errors;
}

/** Whether a network lies within another and is smaller. */
function isStrictSubset(inner: string, outer: string): boolean {
  const [[innerIP = "", innerBits = ""], [outerIP = "", outerBits = ""]] = [inner.split("/"), outer.split("/")];
  if (isIP(innerIP) !== isIP(outerIP) || Number(outerBits) >= Number(innerBits)) return false;
  const shift = BigInt((isIP(outerIP) === 4 ? 32 : 128) - Number(outerBits));
  return addressBits(innerIP) >> shift === addressBits(outerIP) >> shift;
}

function ipBlockErrors(block: JsonObject, path: FieldPath): FieldError[] {
  const cidr = text(block, "cidr");
  if (cidr === "") return [required(child(path, "cidr"))];
  const errors = cidrErrors(cidr, child(path, "cidr"));
  if (errors.length > 0) return errors;
  return texts(block, "except").flatMap((except, i) => {
    const place = at(child(path, "except"), i);
    const wrong = cidrErrors(except, place);
    if (wrong.length > 0) return wrong;
    return isStrictSubset(except, cidr) ? [] : [invalid(place, except, "must be a strict subset of `cidr`")];
  });
}

function peerErrors(peer: JsonObject, path: FieldPath): FieldError[] {
  const [pods, namespaces, block] = ["podSelector", "namespaceSelector", "ipBlock"].map((field) => struct(peer, field));
  const errors = [
    ...labelSelectorErrors(pods, child(path, "podSelector")),
    ...labelSelectorErrors(namespaces, child(path, "namespaceSelector")),
    ...(block ? ipBlockErrors(block, child(path, "ipBlock")) : []),
  ];
  if (!pods && !namespaces && !block) errors.push(required(path, "must specify a peer"));
  else if (block && (pods || namespaces))
    errors.push(forbiddenField(path, "may not specify both ipBlock and another peer"));
  return errors;
}

function policyErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const types = texts(spec, "policyTypes");
  const errors = labelSelectorErrors(struct(spec, "podSelector"), "spec.podSelector");
  for (const [direction, peers] of DIRECTIONS) {
    structs(spec, direction).forEach((rule, i) => {
      const path = at(child("spec", direction), i);
      structs(rule, "ports").forEach((port, j) => errors.push(...portErrors(port, at(child(path, "ports"), j))));
      structs(rule, peers).forEach((peer, j) => errors.push(...peerErrors(peer, at(child(path, peers), j))));
    });
  }
  if (types.length > TYPES.length) {
    return [...errors, invalid("spec.policyTypes", [...types], "may not specify more than two policyTypes")];
  }
  types.forEach((type, i) => {
    errors.push(...choiceErrors(type, TYPES, at("spec.policyTypes", i)));
  });
  return errors;
}

export function networkPolicies(): Resource {
  return builtIn({
    group: "networking.k8s.io",
    kind: "NetworkPolicy",
    resource: "networkpolicies",
    namespaced: true,
    shortNames: ["netpol"],
    versions: [
      {
        version: "v1",
        defaults,
        columns: columns(["Name", "Pod-Selector", "Age"], (object, now) => [
          object.metadata.name ?? "",
          labelSelectorCell(struct(object, "spec", "podSelector")),
          age(object, now),
        ]),
      },
    ],
    strategy: { raisesGeneration: specChanged, validate: policyErrors },
  });
}
