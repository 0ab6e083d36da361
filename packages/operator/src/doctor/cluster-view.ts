import { StatusError } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import type { Client } from "@gatewright/runtime";

/** The kinds of one version of a group, by their plural names, without subresources. */
export type Served = ReadonlySet<string>;

/** What is asked of a cluster, each thing once. Rejects when there is no answer: no answer is never "not there". */
export class ClusterView {
  readonly #client: Client;
  readonly #signal: AbortSignal;
  readonly #served = new Map<string, Promise<Served>>();
  #versions: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

  constructor(client: Client, signal: AbortSignal) {
    [this.#client, this.#signal] = [client, signal];
  }

  get client(): Client {
    return this.#client;
  }

  get signal(): AbortSignal {
    return this.#signal;
  }

  async read(path: string): Promise<Json> {
    return (await this.#answer(path)).body;
  }

  /** What a group has in a version; nothing where the group or version is not served. */
  served(group: string, version: string): Promise<Served> {
    const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const known = this.#served.get(path) ?? this.#list(path);
    this.#served.set(path, known);
    return known;
  }

  /** The versions in which a group is served, the preferred one first. */
  async versionsOf(group: string): Promise<readonly string[]> {
    this.#versions ??= this.read("/apis").then(
      (body) =>
        new Map(
          (body as unknown as ApiGroupList).groups.map(({ name, versions }) => [
            name,
            versions.map(({ version }) => version),
          ]),
        ),
    );
    return (await this.#versions).get(group) ?? [];
  }

  async #list(path: string): Promise<Served> {
    const { status, body } = await this.#answer(path, [404]);
    if (status === 404) return new Set();
    const { resources } = body as unknown as { readonly resources: readonly { readonly name: string }[] };
    return new Set(resources.map(({ name }) => name).filter((name) => !name.includes("/")));
  }

  async #answer(
    path: string,
    expected: readonly number[] = [],
  ): Promise<{ readonly status: number; readonly body: Json }> {
    const { status, body } = await this.#client.request({ method: "GET", path, signal: this.#signal });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (status >= 300 && !expected.includes(status)) throw answerError(path, status, text);
    return { status, body: status >= 300 ? null : (JSON.parse(text) as Json) };
  }
}

interface ApiGroupList {
  readonly groups: readonly { readonly name: string; readonly versions: readonly { readonly version: string }[] }[];
}

function answerError(path: string, code: number, text: string): StatusError {
  let message = `answers ${code}`;
  try {
    const told = (JSON.parse(text) as { readonly message?: string }).message;
    if (typeof told === "string") message = told;
  } catch {
    // What stands between may answer in words of its own: the status is all there is.
  }
  return new StatusError({ code, message: `${path}: ${message}` });
}
