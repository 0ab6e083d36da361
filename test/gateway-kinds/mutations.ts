import type { Json, JsonObject } from "@gatewright/kube";
import { isObject } from "@gatewright/kube";
import fc from "fast-check";
import { allCases } from "./cases/all-cases.ts";
import type { Case } from "./cases/case.ts";

/** A change at some place of an object. `at` picks the place. */
type Mutation =
  | { readonly kind: "replace"; readonly at: number; readonly value: Json }
  | { readonly kind: "remove"; readonly at: number }
  | { readonly kind: "repeat"; readonly at: number }
  | { readonly kind: "copy"; readonly at: number; readonly from: number }
  | { readonly kind: "merge"; readonly other: number };

const TEXTS =
  "a b * *.example.com a.example.com / /a /a//b 1s 10.0.0.1 HTTPS:443 HTTP HTTPS TLS TCP Terminate Passthrough Exact PathPrefix RegularExpression RequestRedirect URLRewrite CORS ReplaceFullPath Hostname IPAddress Service Selector forward redirect fixed-response verify off";

/** Values that mean something to one rule or another. */
const VALUES: readonly Json[] = [
  ...TEXTS.split(" "),
  "",
  "A b",
  "x".repeat(300),
  null,
  true,
  false,
  -1,
  0,
  1,
  1.5,
  443,
  65_536,
  2 ** 31,
  [],
  {},
  ["a"],
  [{}],
];

const place = fc.nat(10_000);
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constant("replace" as const), at: place, value: fc.constantFrom(...VALUES) }),
  fc.record({ kind: fc.constant("remove" as const), at: place }),
  fc.record({ kind: fc.constant("repeat" as const), at: place }),
  fc.record({ kind: fc.constant("copy" as const), at: place, from: place }),
  fc.record({ kind: fc.constant("merge" as const), other: place }),
);

const written = allCases.filter(({ status }) => status === undefined);

/** Objects of the table, changed in a few places. */
export const mutated: fc.Arbitrary<Case> = fc
  .tuple(fc.constantFrom(...written), fc.array(mutation, { minLength: 1, maxLength: 3 }))
  .map(([one, mutations]) => ({
    what: JSON.stringify(mutations),
    resource: one.resource,
    spec: mutations.reduce<Json>((spec, next) => changed(one, spec, next), structuredClone(one.spec ?? {})),
  }));

function changed({ resource }: Case, spec: Json, next: Mutation): Json {
  if (next.kind === "merge") {
    const others = written.filter((other) => other.resource === resource);
    return merged(spec, structuredClone(others[next.other % others.length]?.spec ?? {}));
  }
  const places = placesIn(spec);
  const target = places[next.at % Math.max(places.length, 1)];
  if (!target) return spec;
  const { holder, key } = target;
  if (next.kind === "replace") set(holder, key, structuredClone(next.value));
  if (next.kind === "remove") remove(holder, key);
  if (next.kind === "repeat" && Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)] ?? null));
  if (next.kind === "copy") {
    const source = places[next.from % places.length];
    if (source) set(holder, key, structuredClone(get(source.holder, source.key)));
  }
  return spec;
}

type Holder = Json[] | JsonObject;

function placesIn(value: Json): { holder: Holder; key: string }[] {
  if (!Array.isArray(value) && !isObject(value)) return [];
  const holder: Holder = value;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(get(holder, key))]);
}

const get = (holder: Holder, key: string): Json => (Array.isArray(holder) ? holder[Number(key)] : holder[key]) ?? null;

function set(holder: Holder, key: string, value: Json): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else holder[key] = value;
}

function remove(holder: Holder, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

function merged(a: Json, b: Json): Json {
  if (Array.isArray(a) && Array.isArray(b)) {
    const [first, second] = [a[0], b[0]];
    return first !== undefined && second !== undefined
      ? [merged(first, second), ...a.slice(1), ...b.slice(1)]
      : [...a, ...b];
  }
  if (!isObject(a) || !isObject(b)) return b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries(
    [...keys].map((key) => [
      key,
      Object.hasOwn(a, key) ? merged(get(a, key), Object.hasOwn(b, key) ? get(b, key) : get(a, key)) : get(b, key),
    ]),
  );
}
