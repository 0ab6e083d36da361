import { isIPv4, isIPv6 } from "node:net";
import { parseDomainName } from "./domain-name.ts";
import { ipv6Bytes, nameProblem, numberBytes } from "./rdata-fields.ts";
import type { Rdata, RdataProblem } from "./rdata-fields.ts";

type Encode = (value: string) => Uint8Array | undefined;

/** Parameters by their names in values: the number, and how the value is written in a message (RFC 9460). */
const PARAMETERS: ReadonlyMap<string, readonly [key: number, encode: Encode]> = new Map<
  string,
  readonly [number, Encode]
>([
  ["alpn", [1, (value) => joined(value, protocolId)]],
  ["no-default-alpn", [2, (value) => (value === "" ? new Uint8Array() : undefined)]],
  ["port", [3, (value) => numberBytes(value, 2)]],
  [
    "ipv4hint",
    [4, (value) => joined(value, (one) => (isIPv4(one) ? Uint8Array.from(one.split("."), Number) : undefined))],
  ],
  ["ech", [5, base64]],
  [
    "ipv6hint",
    [6, (value) => joined(value, (one) => (isIPv6(one) && !one.includes("%") ? ipv6Bytes(one) : undefined))],
  ],
]);

/** Reads `1 target. alpn="h2,h3" port=443`: SVCB and HTTPS. */
export function serviceBinding(type: string, value: string): Rdata | RdataProblem {
  const wrong = (says: string, at: string): RdataProblem => ({ problem: `${type}RRDATAIllegal`, says, at });
  const [first, second, ...rest] = value.trim().split(/[ \t]+/);
  const priority = numberBytes(first, 2);
  if (!priority || second === undefined) return wrong("Value is not a priority and a target name", value);
  const name = parseDomainName(second);
  if (typeof name !== "string") return nameProblem(name);
  const parameters = new Map<number, Uint8Array>();
  for (const parameter of rest) {
    const [, key = "", quoted, plain] = /^([a-z0-9-]+)(?:=(?:"([^"]*)"|([^"]*)))?$/.exec(parameter) ?? [];
    const known = PARAMETERS.get(key);
    const bytes = known?.[1](quoted ?? plain ?? "");
    if (!known || !bytes || parameters.has(known[0])) return wrong("Parameter is not valid", parameter);
    parameters.set(known[0], bytes);
  }
  if (first === "0" && parameters.size > 0) return wrong("An alias has no parameters", value);
  return [
    priority,
    { name, shorten: false },
    ...[...parameters]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([key, bytes]) => [sixteen(key), sixteen(bytes.length), bytes]),
  ];
}

function sixteen(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff);
}

function joined(value: string, encode: Encode): Uint8Array | undefined {
  const parts = value.split(",").map(encode);
  const whole = parts.filter((part) => part !== undefined);
  return whole.length === parts.length ? Buffer.concat(whole) : undefined;
}

function protocolId(id: string): Uint8Array | undefined {
  return /^[\x21-\x7e]{1,255}$/.test(id)
    ? Buffer.concat([Uint8Array.of(id.length), Buffer.from(id, "latin1")])
    : undefined;
}

function base64(value: string): Uint8Array | undefined {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(value) ? Buffer.from(value, "base64") : undefined;
}
