import { operatorApi } from "@gatewright/gateway-wire";
import type { Finding } from "../configuration/objects.ts";
import type { ConfigurationTarget } from "../configuration/target.ts";
import { objectOf, namedObject } from "./resource-objects.ts";
import { snapshotObjects } from "./snapshot-objects.ts";

const { UpdateType } = operatorApi;

/** What an update did. `success` is false when any of it did not apply; the rest did. */
export interface Applied {
  readonly version: string;
  readonly success: boolean;
  readonly message: string;
  readonly findings: readonly Finding[];
}

/** `late`: to be given again then, unless a newer snapshot comes. */
export type UpdateResult = { readonly applied: Applied } | { readonly ignored: string } | { readonly late: number };

/** How long after a registration fewer objects than before are not believed at once: an operator that starts fills up. */
const REGRESSION_MS = 30_000;

/**
 * Takes the updates of one stream after the other. Single changes come in order or not at all; a snapshot may come at any time and
 * starts the count anew. A snapshot of nothing, when there is something, is not believed: the last objects go one by one.
 */
export class UpdateMachine {
  readonly #target: ConfigurationTarget;
  #sequence = 0n;
  #version = "";
  #registeredAt = Number.NEGATIVE_INFINITY;

  constructor(target: ConfigurationTarget) {
    this.#target = target;
  }

  /** The version of the update that was applied last; the empty string before the first. */
  get version(): string {
    return this.#version;
  }

  registered(now: number): void {
    this.#registeredAt = now;
  }

  apply(update: operatorApi.ConfigurationUpdate, now: number): UpdateResult {
    const full = update.type === UpdateType.FULL_SYNC;
    if (!full && update.sequence <= this.#sequence)
      return { ignored: `sequence ${update.sequence} after ${this.#sequence}` };
    const result = full ? this.#replace(update, now) : this.#change(update);
    if ("applied" in result) {
      this.#sequence = update.sequence;
      this.#version = update.version;
    }
    return result;
  }

  #replace({ snapshot, version }: operatorApi.ConfigurationUpdate, now: number): UpdateResult {
    if (snapshot === undefined) return { applied: { version, success: true, message: "", findings: [] } };
    const { objects, refused } = snapshotObjects(snapshot);
    const held = this.#target.held().length;
    if (objects.length === 0 && held > 0) {
      const message = `a snapshot of nothing was ignored: ${held} objects stay until each is deleted`;
      return { applied: { version, success: false, message, findings: [] } };
    }
    const patience = this.#registeredAt + REGRESSION_MS - now;
    if (objects.length < held && patience > 0) return { late: patience };
    return this.#told(version, this.#target.replace(objects), refused);
  }

  #change({ type, resource, version }: operatorApi.ConfigurationUpdate): UpdateResult {
    if (
      resource === undefined ||
      (type !== UpdateType.ADDED && type !== UpdateType.MODIFIED && type !== UpdateType.DELETED)
    )
      return { applied: { version, success: true, message: "", findings: [] } };
    if (type === UpdateType.DELETED) {
      const read = objectOf({ ...resource, specJson: Buffer.from("{}") });
      const named = namedObject(resource);
      if ("refused" in read || named === undefined)
        return this.#told(version, [], ["refused" in read ? read.refused : "a deletion without a name"]);
      return this.#told(version, this.#target.change([], [{ kind: read.kind, ...named }]), []);
    }
    const read = objectOf(resource);
    if ("refused" in read) return this.#told(version, [], [read.refused]);
    return this.#told(version, this.#target.change([read], []), []);
  }

  #told(version: string, findings: readonly Finding[], refused: readonly string[]): UpdateResult {
    const errors = findings.filter(({ severity }) => severity === "error");
    const lines = [
      ...refused,
      ...errors.map(
        ({ kind, namespace, name, field, message }) => `${kind} ${namespace}/${name}: ${field}: ${message}`,
      ),
    ];
    return { applied: { version, success: lines.length === 0, message: lines.join("; "), findings } };
  }
}
