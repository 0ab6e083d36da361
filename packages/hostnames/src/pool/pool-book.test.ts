import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import type { Gateway } from "@gatewright/resources";
import type { CacheReader, Watch } from "@gatewright/runtime";
import type { Claim } from "../claims/claim.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { POOL_LABEL } from "./pool-names.ts";
import { PoolBook } from "./pool-book.ts";
import { claim } from "./testing/claims.ts";

/** A cache that tells the book's watches what changes, as a controller does. */
function createCache(book: PoolBook) {
  const watches = new Map<string, Watch>(book.watches().map((watch) => [watch.resource.kind, watch]));
  const objects = new Map<string, Map<string, Immutable<ApiObject>>>();
  const reads: string[] = [];
  const of = (kind: string) => objects.get(kind) ?? objects.set(kind, new Map()).get(kind)!;
  const cached = <T extends ApiObject>({ kind }: Resource<T>): CacheReader<T> => {
    const all = (): readonly Immutable<ApiObject>[] => [...of(kind).values()];
    return {
      get: (ref: Parameters<CacheReader<T>["get"]>[0]) => of(kind).get(typeof ref === "string" ? ref : keyOf(ref)),
      list: all,
      byIndex(index: string, value: string) {
        reads.push(value);
        return all().filter((each) => watches.get(kind)?.indexes[index]?.(each).includes(value) === true);
      },
    } as unknown as CacheReader<T>;
  };
  return {
    cached,
    reads,
    put: (object: Immutable<ApiObject>): void => {
      const before = of(object.kind).get(keyOf(object));
      of(object.kind).set(keyOf(object), object);
      for (const each of [object, ...(before ? [before] : [])]) watches.get(object.kind)?.map(each);
    },
  };
}

const unplaced = (hostname: string, more: Partial<Claim["spec"]["wish"]> = {}): Claim => {
  const made = claim(hostname, {}, more);
  const { gateway: _gateway, ...status } = made.status!;
  return { ...made, status };
};

const placed = (each: Claim, gateway: string): Claim => ({ ...each, status: { ...each.status!, gateway } });

const pool = (name: string): Immutable<Gateway> =>
  ({
    kind: "Gateway",
    metadata: {
      namespace: "edge",
      name,
      labels: { [POOL_LABEL]: "true" },
      annotations: { "gateway.opendi.com/visibility": "internet-facing" },
    },
    spec: { gatewayClassName: "aws-alb", listeners: [] },
  }) as unknown as Immutable<Gateway>;

const numbered = (count: number): readonly Claim[] =>
  Array.from({ length: count }, (_, n) => unplaced(`a${n}.example.com`));

test("placements that no status tells yet take their room: certificates of one load balancer end at 26", () => {
  const book = new PoolBook(DEFAULT_SETTINGS);
  const { cached } = createCache(book);
  const places = numbered(60).map((each) => book.place(cached, each)?.gateway);
  assert.deepEqual(
    ["gw-01", "gw-02", "gw-03"].map((name) => places.filter((each) => each === name).length),
    [26, 26, 8],
  );
});

test("Gateways that claims are placed on and that are not there yet are filled further", () => {
  const book = new PoolBook(DEFAULT_SETTINGS);
  const { cached, put } = createCache(book);
  for (const each of numbered(3)) put(placed(each, "gw-01"));
  assert.deepEqual(book.place(cached, unplaced("b.example.com")), { gateway: "gw-01", isNew: false });
  assert.deepEqual(book.place(cached, unplaced("c.example.com", { visibility: "internal" })), {
    gateway: "gw-02",
    isNew: true,
  });
});

test("what was counted is counted again only when something changed", () => {
  const book = new PoolBook(DEFAULT_SETTINGS);
  const { cached, put, reads } = createCache(book);
  put(pool("gw-01"));
  put(pool("gw-02"));
  for (const each of numbered(26)) put(placed(each, "gw-01"));
  assert.equal(book.place(cached, unplaced("b.example.com"))?.gateway, "gw-02");
  reads.length = 0;
  assert.equal(book.place(cached, unplaced("c.example.com"))?.gateway, "gw-02");
  assert.deepEqual([...new Set(reads)], ["gw-02"], "only where the last one went is counted anew");
});

test("who stays where it is costs no look at other Gateways or their hostnames", () => {
  const book = new PoolBook(DEFAULT_SETTINGS);
  const { cached, put, reads } = createCache(book);
  for (const name of ["gw-01", "gw-02", "gw-03"]) put(pool(name));
  for (const each of numbered(60)) put(placed(each, "gw-03"));
  reads.length = 0;
  const stays = placed(unplaced("a1.example.com"), "gw-03");
  assert.deepEqual(book.place(cached, stays), { gateway: "gw-03", isNew: false });
  assert.deepEqual(reads, []);
  const other = placed(unplaced("a1.example.com", { visibility: "internal" }), "gw-03");
  assert.deepEqual(book.place(cached, other), { gateway: "gw-04", isNew: true });
});

test("room that was kept is free again when the claim went elsewhere or goes", () => {
  const book = new PoolBook({ ...DEFAULT_SETTINGS, limits: { ...DEFAULT_SETTINGS.limits, certificates: 0 } });
  const { cached, put } = createCache(book);
  put(pool("gw-01"));
  const a = unplaced("a.example.com");
  assert.equal(book.place(cached, a)?.gateway, "gw-01");
  assert.equal(book.place(cached, unplaced("b.example.com"))?.gateway, "gw-02");
  put({ ...a, metadata: { ...a.metadata, deletionTimestamp: "2030-01-01T00:00:00Z" } });
  assert.equal(book.place(cached, unplaced("c.example.com"))?.gateway, "gw-01");
});

test("routes that come fill a Gateway", () => {
  const book = new PoolBook(DEFAULT_SETTINGS);
  const { cached, put } = createCache(book);
  put(pool("gw-01"));
  put(placed(unplaced("a.example.com"), "gw-01"));
  assert.equal(book.place(cached, unplaced("b.example.com"))?.gateway, "gw-01");
  const parentRefs = [{ group: "gateway.networking.k8s.io", kind: "Gateway", namespace: "edge", name: "gw-01" }];
  const rules = Array.from({ length: 16 }, () => ({ matches: Array.from({ length: 6 }, () => ({})) }));
  put({
    kind: "HTTPRoute",
    metadata: { namespace: "shop", name: "r" },
    spec: { parentRefs, hostnames: ["a.example.com"], rules },
  } as unknown as Immutable<ApiObject>);
  assert.equal(book.place(cached, unplaced("c.example.com"))?.gateway, "gw-02");
});

test("why a move is refused is said", () => {
  const book = new PoolBook(DEFAULT_SETTINGS);
  const { cached, put } = createCache(book);
  put(pool("gw-01"));
  const there = (moveTo: string): Claim => placed(unplaced("a.example.com", { moveTo }), "gw-01");
  assert.match(book.refusal(cached, there("gw-09")) ?? "", /There is no Gateway gw-09/);
  assert.equal(book.refusal(cached, there("gw-01")), undefined);
  assert.equal(book.place(cached, there("gw-09"))?.gateway, "gw-01");
});
