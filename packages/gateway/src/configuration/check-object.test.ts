import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { checkObject } from "./check-object.ts";
import { OBJECT_KINDS } from "./objects.ts";
import type { GivenObject, ObjectKind } from "./objects.ts";

const given = (kind: ObjectKind, spec: unknown): GivenObject => ({
  kind,
  namespace: "shop",
  name: "a",
  version: "7",
  spec,
});
const ROUTE = { route: [{ destination: { host: "b", port: 80 } }] };

suite("checking an object", () => {
  test("a good one comes back with its defaults, and what was given stays as it was", () => {
    const object = { ...given("APIRoute", structuredClone(ROUTE)), createdAt: "2030-01-01T00:00:00Z" };
    const { checked, findings } = checkObject(object);
    assert.deepEqual(findings, []);
    assert.deepEqual(checked, {
      ...object,
      spec: { route: [{ destination: { host: "b", port: 80 }, weight: 100 }] },
    });
    assert.deepEqual(object.spec, ROUTE);
  });

  test("what is not known is dropped with a warning that names it", () => {
    const { checked, findings } = checkObject(given("APIRoute", { ...ROUTE, retrys: { attempts: 3 } }));
    assert.ok(checked !== undefined && !("retrys" in checked.spec));
    assert.deepEqual(
      findings.map(({ severity, field, message }) => [severity, field, message]),
      [["warning", "spec.retrys", "is not known and does nothing"]],
    );
  });

  test("nulls count as left out", () => {
    const { checked, findings } = checkObject(given("APIRoute", { ...ROUTE, timeout: null, cors: null }));
    assert.deepEqual(findings, []);
    assert.ok(checked !== undefined && !("timeout" in checked.spec));
  });

  test("the shapes of AVAPIGW's own configuration are understood", () => {
    const { checked, findings } = checkObject(
      given("APIRoute", {
        ...ROUTE,
        encoding: { requestEncoding: "xml", responseEncoding: "json", response: { contentType: "application/yaml" } },
        transform: {
          request: { bodyTemplate: "{}" },
          response: { fieldMappings: [{ source: "__proto__", target: "a" }, { source: "b", target: "c" }, 7] },
        },
      }),
    );
    assert.deepEqual(findings, []);
    assert.ok(checked?.kind === "APIRoute");
    assert.deepEqual(checked.spec.encoding, {
      request: { contentType: "application/xml" },
      response: { contentType: "application/yaml" },
    });
    assert.equal(checked.spec.transform?.request?.template, "{}");
    assert.deepEqual(Object.entries(checked.spec.transform?.response?.fieldMappings ?? {}), [
      ["__proto__", "a"],
      ["b", "c"],
    ]);
  });

  test("wrong types and broken rules are errors that name object and field", () => {
    const { checked, findings } = checkObject(given("Backend", { hosts: "here" }));
    assert.equal(checked, undefined);
    assert.deepEqual(findings[0], {
      kind: "Backend",
      namespace: "shop",
      name: "a",
      version: "7",
      severity: "error",
      field: "spec.hosts",
      message: 'Invalid value: "string": spec.hosts in body must be of type array: "string"',
    });
    const rule = checkObject(
      given("APIRoute", { ...ROUTE, maxSessions: { enabled: true, maxConcurrent: 1, queueSize: 1 } }),
    );
    assert.deepEqual(
      rule.findings.map(({ field, message }) => [field, message]),
      [["spec.maxSessions", "Invalid value: queueSize needs queueTimeout, above 0s: how long requests wait"]],
    );
  });

  test("passwords are not repeated in findings", () => {
    const users = [{ username: "a", passwordHash: 'hun"ter2' }];
    const { findings } = checkObject(
      given("APIRoute", { ...ROUTE, authentication: { enabled: true, basic: { enabled: true, users } } }),
    );
    assert.equal(findings.length, 1);
    assert.ok(!JSON.stringify(findings).includes("ter2"));
    assert.match(findings[0]!.message, /^Invalid value: write bcrypt's text/);
  });

  test("whatever a spec is, it is refused and nothing breaks", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 200_000; i++) deep = [deep];
    for (const spec of [
      undefined,
      null,
      7,
      "a",
      [],
      { route: deep },
      { transform: { request: { defaultValues: { a: deep } } } },
    ]) {
      const { checked, findings } = checkObject(given("APIRoute", spec));
      assert.equal(checked, undefined);
      assert.ok(findings.some(({ severity }) => severity === "error"));
    }
    const polluting = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"a": 1}}') as unknown;
    checkObject(given("Backend", polluting));
    assert.equal(({} as { polluted?: number }).polluted, undefined);
  });

  test("fields of any content are judged, and what is judged good is judged good again", () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    const names = [
      "match",
      "route",
      "hosts",
      "timeout",
      "retries",
      "cache",
      "tls",
      "authentication",
      "aggregate",
      "transform",
    ];
    const spec = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...OBJECT_KINDS), spec, (kind, content) => {
        const { checked, findings } = checkObject(given(kind, content));
        assert.equal(
          checked === undefined,
          findings.some(({ severity }) => severity === "error"),
        );
        if (checked) assert.deepEqual(checkObject(given(kind, checked.spec)), { checked, findings: [] });
      }),
    );
  });
});
