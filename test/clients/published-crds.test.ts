import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import { parseAllDocuments } from "yaml";
import { suite } from "../tools/suite.ts";

/** Definitions that other projects publish, unchanged. */
const DATA = join(import.meta.dirname, "..", "..", "..", "shared", "data");
const FILES = globSync(join(DATA, "{gateway-api-1.6.1,aws-load-balancer-controller,cert-manager}/*.yaml")).sort();

interface Answer {
  readonly status: number;
  readonly body: { readonly [field: string]: unknown; readonly message?: string };
}

suite("definitions of other projects", existsSync(DATA) ? false : "../shared/data is not here", () => {
  let server: ApiServer;
  const send = async (method: string, path: string, value?: unknown): Promise<Answer> => {
    const answer = await server.transport()({
      method,
      path,
      headers: { "content-type": "application/json" },
      ...(value !== undefined && { body: JSON.stringify(value) }),
    });
    const chunks: Buffer[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    return { status: answer.status, body: JSON.parse(Buffer.concat(chunks).toString()) as Answer["body"] };
  };
  const paths: Readonly<Record<string, string>> = {
    CustomResourceDefinition: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    ValidatingAdmissionPolicy: "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
    ValidatingAdmissionPolicyBinding: "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
  };

  before(async () => {
    server = await createApiServer();
  });
  after(() => server.close());

  for (const file of FILES) {
    test(`${basename(file)} loads unchanged and is served`, async () => {
      for (const document of parseAllDocuments(readFileSync(file, "utf8"), { version: "1.1" })) {
        const object = document.toJS() as { kind: string; metadata: { name: string } } | null;
        if (!object) continue;
        const created = await send("POST", paths[object.kind] ?? "/", object);
        assert.equal(created.status, 201, created.body.message);
        await server.idle();
        if (object.kind !== "CustomResourceDefinition") continue;
        const { body } = await send("GET", `${paths[object.kind]}/${object.metadata.name}`);
        const { conditions } = body["status"] as { conditions: { type: string; status: string }[] };
        const established = conditions.find((c) => c.type === "Established");
        assert.equal(established?.status, "True", JSON.stringify(conditions));
      }
    });
  }

  test("an HTTPRoute that breaks its own rules is refused in their words", async () => {
    const route = (filters: unknown[]): unknown => ({
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "HTTPRoute",
      metadata: { name: "shop", namespace: "default" },
      spec: { rules: [{ filters, backendRefs: [{ name: "shop", port: 80 }] }] },
    });
    const path = "/apis/gateway.networking.k8s.io/v1/namespaces/default/httproutes";
    const redirect = { type: "RequestRedirect", requestRedirect: { statusCode: 301 } };
    const refused = await send("POST", path, route([redirect]));
    assert.equal(refused.status, 422);
    assert.match(refused.body.message ?? "", /RequestRedirect filter must not be used together with backendRefs/);
    const missing = await send("POST", path, route([{ type: "RequestRedirect" }]));
    assert.match(
      missing.body.message ?? "",
      /filter\.requestRedirect must be specified for RequestRedirect filter\.type/,
    );
    const accepted = await send("POST", path, route([]));
    assert.equal(accepted.status, 201, accepted.body.message);
  });
});
