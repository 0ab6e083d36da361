import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reader, Unreadable } from "@gatewright/explain";
import { askedObject } from "./asked-object.ts";
import { findQuestion } from "./find-question.ts";

interface Asking {
  readonly at: string;
  readonly hostname: string;
  readonly holds?: boolean;
}

/** A cluster in which these ask for hostnames, at `namespace/name`. */
function cluster(...asking: readonly Asking[]): Reader {
  const requests = asking.map(({ at, hostname }) => {
    const [namespace = "", name = ""] = at.split("/");
    return { metadata: { namespace, name }, spec: { hostname } };
  });
  const claims = requests
    .filter((_, index) => asking[index]!.holds !== false)
    .map(({ metadata, spec: { hostname } }) => ({ metadata: {}, spec: { hostname, ownerRef: metadata } }));
  return {
    get: async () => ({ state: "absent" }),
    list: async ({ plural }, { namespace, fieldSelector }) => {
      const all = plural === "domainclaims" ? claims : requests;
      const found = all.filter(
        ({ metadata, spec }) =>
          (fieldSelector === undefined || fieldSelector === `spec.hostname=${spec.hostname}`) &&
          (namespace === undefined || ("namespace" in metadata && metadata.namespace === namespace)),
      );
      return { state: "known", items: found as never };
    },
  };
}

async function found(reader: Reader, word: string, given?: string): Promise<string> {
  const { ref } = await findQuestion(
    reader,
    askedObject([word]),
    { given, usual: "default" },
    AbortSignal.timeout(5_000),
  );
  return `${ref.namespace}/${ref.name}`;
}

test("a hostname stands for the request that holds it", async () => {
  const reader = cluster({ at: "shop/web", hostname: "shop.example.com" });
  assert.equal(await found(reader, "shop.example.com"), "shop/web");
});

test("a hostname that nobody asked for by itself stands for the wildcard over it", async () => {
  const reader = cluster(
    { at: "shop/all", hostname: "*.example.com" },
    { at: "shop/web", hostname: "shop.example.com" },
  );
  assert.equal(await found(reader, "other.example.com"), "shop/all");
  assert.equal(await found(reader, "shop.example.com"), "shop/web");
  await assert.rejects(found(reader, "a.b.example.com"), /nobody has asked for a\.b\.example\.com/);
});

test("who asks in a namespace that wants the name too is told of that one's request, not of the holder's", async () => {
  const reader = cluster(
    { at: "shop/web", hostname: "shop.example.com" },
    { at: "rival/thief", hostname: "Shop.Example.com.", holds: false },
  );
  assert.equal(await found(reader, "shop.example.com", "rival"), "rival/thief");
  assert.equal(await found(reader, "shop.example.com", "elsewhere"), "shop/web");
});

/** Reads as another does, but lists of these kinds do not come. */
function failing(reader: Reader, reason: Unreadable["reason"], ...plurals: readonly string[]): Reader {
  return {
    get: (...asked) => reader.get(...asked),
    list: async (resource, selection, signal) =>
      plurals.includes(resource.plural)
        ? { state: "unknown", problem: { reason, attempt: `list ${resource.plural}`, message: "Unauthorized" } }
        : reader.list(resource, selection, signal),
  };
}

test("that nobody has asked for a hostname is said only after an answer", async () => {
  for (const reason of ["NoAnswer", "NotServed"] as const) {
    const reader = failing(cluster(), reason, "domainclaims");
    await assert.rejects(found(reader, "shop.example.com"), {
      name: "UnreadError",
      message: "could not list domainclaims: Unauthorized",
    });
  }
  const narrow = failing(cluster(), "Forbidden", "domainclaims");
  await assert.rejects(found(narrow, "shop.example.com"), /nobody has asked for .* as far as you may see/);
  const partly = failing(cluster({ at: "shop/web", hostname: "shop.example.com" }), "NoAnswer", "domainclaims");
  assert.equal(await found(partly, "shop.example.com"), "shop/web", "what was found is enough");
});

test("an object that could not be looked for elsewhere is not called absent", async () => {
  const reader = failing(cluster(), "NoAnswer", "applications");
  await assert.rejects(found(reader, "application/web"), { name: "UnreadError" });
  assert.equal(await found(reader, "application/web", "shop"), "shop/web", "its namespace was given");
  const deaf: Reader = {
    ...reader,
    get: async () => ({ state: "unknown", problem: { reason: "NoAnswer", attempt: "get", message: "Unauthorized" } }),
  };
  assert.equal(await found(deaf, "application/web"), "default/web", "the answer tells that it could not be read");
});
