import { create } from "@bufbuild/protobuf";
import { operatorApi } from "@gatewright/gateway-wire";
import type { Finding, GivenObject } from "../configuration/objects.ts";
import type { ConfigurationTarget, ObjectName } from "../configuration/target.ts";
import { objectOf, namedObject, typeOf } from "./resource-objects.ts";
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

const NO_SPEC = Buffer.from("{}");

/**
 * Takes the updates of one stream after the other. Changes come in order or not at all, single ones or several at once; a snapshot may come at any time and
 * starts the count anew. A snapshot of nothing, when there is something, is not believed: the last objects go one by one.
 */
export class UpdateMachine {
  readonly #target: ConfigurationTarget;
  #sequence = 0n;
  #version = "";
  #registeredAt = Number.NEGATIVE_INFINITY;
  /** Of what the last acknowledgement about it said something: who did not hear that is to hear it again. */
  readonly #remarked = new Set<string>();

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

  /** What is held, as it is told to an operator: names and versions; without a version what there was something to say of. */
  held(): operatorApi.ConfigurationResource[] {
    return this.#target.held().map((object) => {
      const { kind, namespace, name, version } = object;
      const resourceVersion = this.#remarked.has(keyOf(object)) ? "" : version;
      return create(operatorApi.ConfigurationResourceSchema, { type: typeOf(kind), namespace, name, resourceVersion });
    });
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
    this.#remarked.clear();
    return this.#told(version, this.#target.replace(objects), refused);
  }

  #change(update: operatorApi.ConfigurationUpdate): UpdateResult {
    const { type, resource, version } = update;
    const single = resource === undefined ? [] : [resource];
    const isDeletion = type === UpdateType.DELETED;
    if (!isDeletion && type !== UpdateType.ADDED && type !== UpdateType.MODIFIED)
      return { applied: { version, success: true, message: "", findings: [] } };
    const set: GivenObject[] = [];
    const removed: ObjectName[] = [];
    const refused: string[] = [];
    for (const one of [...(isDeletion ? [] : single), ...update.set]) {
      const read = objectOf(one);
      if ("refused" in read) refused.push(read.refused);
      else set.push(read);
    }
    for (const one of [...(isDeletion ? single : []), ...update.removed]) {
      const read = objectOf({ ...one, specJson: NO_SPEC });
      const named = namedObject(one);
      if ("refused" in read || named === undefined)
        refused.push("refused" in read ? read.refused : "a deletion without a name");
      else removed.push({ kind: read.kind, ...named });
    }
    for (const name of removed) this.#remarked.delete(keyOf(name));
    for (const object of set) this.#remarked.delete(keyOf(object));
    return this.#told(version, this.#target.change(set, removed), refused);
  }

  #told(version: string, findings: readonly Finding[], refused: readonly string[]): UpdateResult {
    for (const finding of findings) this.#remarked.add(keyOf(finding));
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

function keyOf({ kind, namespace, name }: ObjectName): string {
  return `${kind} ${namespace}/${name}`;
}
