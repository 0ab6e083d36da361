import assert from "node:assert/strict";
import { createApiServer } from "@gatewright/apiserver";
import { groupVersionPath, isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import type { apiextensions } from "@gatewright/kube/api";
import type { ResourceDefinition } from "@gatewright/kube/define";
import type { Case } from "./cases/case.ts";

/** What a server says to a write. */
export interface Verdict {
  readonly accepted: boolean;
  /** The fields at fault: of those that are inside one another the innermost, sorted. */
  readonly fields: readonly string[];
  /** Spec and status as they were stored, defaults and all. */
  readonly stored: Json;
  readonly message: string;
}

/** An API server that knows the kinds by these manifests. */
export class ServerWithKinds implements AsyncDisposable {
  readonly #server: Awaited<ReturnType<typeof createApiServer>>;

  private constructor(server: Awaited<ReturnType<typeof createApiServer>>) {
    this.#server = server;
  }

  static async start(definitions: readonly apiextensions.CustomResourceDefinition[]): Promise<ServerWithKinds> {
    const started = new ServerWithKinds(await createApiServer());
    for (const definition of definitions) {
      const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
      const { status, body } = await started.ask("POST", path, definition as unknown as Json);
      assert.equal(status, 201, JSON.stringify(body));
    }
    await started.#server.idle();
    return started;
  }

  /** What the server says to the object, of which nothing is kept. */
  async judge({ resource, spec, status }: Case): Promise<Verdict> {
    const { group, version, kind, namespaced, plural } = resource;
    const object = {
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { name: "a" },
      ...(spec !== undefined && { spec }),
    };
    const path = `${groupVersionPath(resource)}${namespaced ? "/namespaces/default" : ""}/${plural}`;
    if (!status) return verdictOf(await this.ask("POST", `${path}?dryRun=All`, object));
    const made = await this.ask("POST", path, object);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const metadata = made.body["metadata"] as JsonObject;
    const answer = await this.ask("PUT", `${path}/a/status`, { ...object, metadata, status });
    await this.ask("DELETE", `${path}/a`);
    return verdictOf(answer);
  }

  async ask(method: string, path: string, value?: Json): Promise<{ status: number; body: JsonObject }> {
    const answer = await this.#server.transport()({
      method,
      path,
      headers: { "content-type": "application/json" },
      ...(value !== undefined && { body: JSON.stringify(value) }),
    });
    const chunks: Buffer[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    return { status: answer.status, body: JSON.parse(Buffer.concat(chunks).toString()) as JsonObject };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.close();
  }
}

function verdictOf({ status, body }: { status: number; body: JsonObject }): Verdict {
  const accepted = status < 300;
  assert.ok(accepted || status === 422, `${status} ${JSON.stringify(body)}`);
  const details = isObject(body["details"]) ? body["details"] : {};
  const causes = Array.isArray(details["causes"]) ? details["causes"] : [];
  const fields = new Set(causes.flatMap((cause) => (isObject(cause) ? [String(cause["field"] ?? "")] : [])));
  fields.delete("<nil>");
  return {
    accepted,
    fields: [...fields].filter((field) => ![...fields].some((other) => isInside(other, field))).toSorted(),
    stored: accepted ? { spec: body["spec"] ?? null, status: body["status"] ?? null } : null,
    message: String(body["message"] ?? ""),
  };
}

const isInside = (inner: string, outer: string): boolean =>
  inner.startsWith(outer) && [".", "["].includes(inner.charAt(outer.length));

/** The manifests of these kinds, from what is known by name. */
export const pick = (
  all: ReadonlyMap<string, apiextensions.CustomResourceDefinition>,
  kinds: readonly ResourceDefinition[],
): apiextensions.CustomResourceDefinition[] =>
  kinds.map(({ plural, group }) => {
    const found = all.get(`${plural}.${group}`);
    assert.ok(found, plural);
    return found;
  });
