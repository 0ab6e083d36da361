import assert from "node:assert/strict";
import { test } from "node:test";
import { negotiate, negotiateWatch } from "./negotiate.ts";

const TABLE =
  "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";

function accepted(accept: string | undefined, isList = true, query = "", userAgent = "kubectl/v1.36"): string {
  const { media, as, metaVersion, pretty } = negotiate(
    { accept, "user-agent": userAgent },
    new URLSearchParams(query),
    isList,
  );
  return `${media} ${as} ${metaVersion}${pretty ? " pretty" : ""}`;
}

test("without a wish the answer is JSON", () => {
  assert.equal(accepted(undefined), "json object v1");
  assert.equal(accepted("*/*"), "json object v1");
});

test("kubectl gets the table that it asks for first", () => {
  assert.equal(accepted(TABLE), "json table v1");
});

test("clients that prefer protobuf take JSON where they say so", () => {
  assert.equal(accepted("application/vnd.kubernetes.protobuf,application/json"), "json object v1");
});

test("quality values decide the order", () => {
  assert.equal(accepted("application/json;q=0.5, application/yaml"), "yaml object v1");
});

test("what cannot be written is refused with 406", () => {
  assert.throws(() => accepted("text/html"), { code: 406 });
  assert.throws(() => accepted("application/vnd.kubernetes.protobuf"), { code: 406 });
  assert.throws(() => accepted("application/json;as=Nonsense;v=v1;g=meta.k8s.io"), { code: 406 });
});

test("metadata of a list and of an object are different wishes", () => {
  assert.equal(accepted("application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", false), "json partial v1");
  assert.throws(() => accepted("application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", true), { code: 406 });
});

test("people at a terminal or browser get it laid out", () => {
  assert.equal(accepted("*/*", true, "", "curl/8"), "json object v1 pretty");
  assert.equal(accepted("*/*", true, "pretty=false", "curl/8"), "json object v1");
  assert.equal(accepted("*/*", true, "pretty=1"), "json object v1 pretty");
});

const METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

test("events of a watch can be metadata, as informers of metadata ask", () => {
  const accept = `application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,${METADATA},application/json`;
  assert.equal(negotiateWatch({ accept }, new URLSearchParams(), false).as, "partial");
  assert.equal(negotiateWatch({}, new URLSearchParams(), false).as, "object");
});

test("there is no watch in YAML", () => {
  assert.throws(() => negotiateWatch({ accept: "application/yaml" }, new URLSearchParams(), false), {
    message:
      "only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch",
  });
});
