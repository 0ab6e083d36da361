import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../json/json.ts";
import type { ObjectMeta } from "../object.ts";
import type { ApiObject, Resource } from "../resource.ts";
import type * as meta from "../api/meta-v1.ts";
import { defineResource, s } from "./index.ts";
import type { ConditionValue, ManifestOf, ObjectOf, Schema } from "./index.ts";
import { Website } from "./testing/website.ts";
import type { WebsiteManifest } from "./testing/website.ts";

type IsAny<T> = 0 extends 1 & T ? true : false;
type Same<A, B> = [A, B, IsAny<A>] extends [B, A, IsAny<B>] ? true : false;
/** Type claims: a file with a false one does not compile. */
type Holds<Claims extends readonly true[]> = Claims[number];

test("types of values are inferred exactly, enums as their values", () => {
  const claims: Holds<
    [
      Same<Website["spec"]["title"], string>,
      Same<Website["spec"]["tier"], "small" | "large">,
      Same<Website["spec"]["public"], boolean>,
      Same<Website["spec"]["memory"], number | string>,
      Same<Website["spec"]["labels"], Record<string, string>>,
      Same<Website["spec"]["cache"], { seconds: number }>,
      Same<NonNullable<Website["spec"]["ports"]>, { name: string; port: number }[]>,
      Same<Website["spec"]["extra"], JsonObject | undefined>,
      Same<Website["spec"]["anything"], Json | undefined>,
      Same<Website["spec"]["note"], string | null | undefined>,
    ]
  > = true;
  assert.ok(claims);
});

test("optional fields may be missing, defaulted ones only when written", () => {
  const defined = defineResource({
    group: "example.com",
    version: "v1",
    kind: "Box",
    scope: "Cluster",
    description: "A box.",
    spec: s.object({
      size: s.integer(),
      color: s.string({ default: "red" }),
      depth: s.integer({ default: 1 }).optional(),
      lid: s.boolean().optional(),
    }),
  });
  type Spec = { size: number; color: string; depth?: number; lid?: boolean };
  type Box = { apiVersion: string; kind: string; metadata: ObjectMeta; spec: Spec };
  type Written = { size: number; color?: string; depth?: number; lid?: boolean };
  const claims: Holds<[Same<ObjectOf<typeof defined>, Box>, Same<ManifestOf<typeof defined>["spec"], Written>]> = true;
  assert.ok(claims);
});

test("a definition is a resource of its objects", () => {
  const resource: Resource<Website> = Website;
  const anyResource: Resource = Website;
  const claims: Holds<
    [
      Website extends ApiObject ? true : false,
      Same<Website["status"], { replicas?: number; selector?: string; conditions?: ConditionValue[] } | undefined>,
      ConditionValue extends meta.Condition ? true : false,
      NonNullable<Website["spec"]["selector"]> extends meta.LabelSelector ? true : false,
    ]
  > = true;
  assert.ok(claims);
  assert.equal(resource.plural, anyResource.plural);
});

test("what cannot be said does not compile", () => {
  const manifest: WebsiteManifest["spec"] = { title: "a", image: "b" };
  // @ts-expect-error: not one of the values
  manifest.tier = "medium";
  // @ts-expect-error: a typing error in an option
  s.string({ maxLenght: 3 });
  // @ts-expect-error: a default that is not one of the values
  s.string({ enum: ["a", "b"], default: "c" });
  // @ts-expect-error: nothing checks this format
  s.string({ format: "colour" });
  // @ts-expect-error: items are never optional
  s.array(s.string().optional());
  // @ts-expect-error: not a field of the items
  s.array(s.object({ name: s.string() }), { listType: "map", listMapKeys: ["id"] });
  // @ts-expect-error: a default of the wrong type
  s.object({ a: s.integer() }, { default: { a: "x" } });
  // @ts-expect-error: a number that is not one of the values
  s.integer({ enum: [301, 302], default: 303 });
  const status: Schema<301 | 302, 301 | 302, "defaulted"> = s.integer({ enum: [301, 302], default: 302 });
  assert.deepEqual(status.json, { type: "integer", enum: [301, 302], default: 302 });
  const written: Schema<"a" | "b", "a" | "b", "defaulted"> = s.string({ enum: ["a", "b"], default: "b" });
  assert.deepEqual(written.json, { type: "string", enum: ["a", "b"], default: "b" });
});
