import type { ApiServer } from "@gatewright/apiserver";
import { isObject } from "@gatewright/kube";
import type { Json, KubeObject } from "@gatewright/kube";
import { HeldCaches } from "./held-caches.ts";
import { emptyHistory } from "./history.ts";
import type { Effect, History, LeaseTruth } from "./history.ts";
import type { Answer } from "./network/ask-server.ts";
import type { SentCall } from "./network/network.ts";
import type { Incarnation } from "./process/incarnation.ts";
import type { Probe } from "./process/probe.ts";
import type { Scenario } from "./scenario.ts";
import type { SentSystemCall } from "./systems/system-network.ts";
import type { SystemChange } from "./systems/watched-system.ts";
import { UID, UNJUDGED, objectName } from "./world-state.ts";

const LEASES = "leases.coordination.k8s.io";

/** Told of each change of the server's state, in order. */
export type ChangeListener = (table: string, type: "ADDED" | "MODIFIED" | "DELETED", object: KubeObject) => void;

/** Writes the history of a world while it happens. */
export class Recorder {
  readonly history: History = emptyHistory();
  readonly caches = new HeldCaches();
  readonly #now: () => number;
  readonly #scenario: Scenario;
  readonly #effects = new Map<number, Effect>();
  readonly #listeners: ChangeListener[] = [];
  readonly #followed = new Set<string>();
  /** Keys whose last run failed, by process. */
  readonly #failed = new Map<Incarnation, Set<string>>();
  /** Names of all objects that ever were, by their uids. */
  readonly #names = new Map<string, string>();
  #lease: LeaseTruth | undefined;

  constructor(now: () => number, scenario: Scenario) {
    this.#now = now;
    this.#scenario = scenario;
    if (scenario.lease !== undefined) this.#lease = { holder: "", validUntil: 0 };
  }

  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  /** Follows every table of the server, those that come later included. */
  follow(server: ApiServer): void {
    const { resources, store } = server.cluster;
    const follow = (): void => {
      for (const { table } of resources.all()) {
        if (this.#followed.has(table)) continue;
        this.#followed.add(table);
        const rows = store.table(table);
        rows.watch(store.revision, ({ type, entry }) => this.#changed(table, type, rows.decode(entry)));
      }
    };
    follow();
    resources.onChange(follow);
  }

  sent({ number, call, life }: SentCall): void {
    if (!call.writes || call.lease || call.query.has("dryRun")) return;
    const object = `${call.resource} ${call.namespace === "" ? "" : `${call.namespace}/`}${call.name}`;
    this.#effect(number, life, call.site, object);
  }

  /** `abandoned`: its sender gave it up before. */
  done({ number, life }: SentCall, answer: Answer, abandoned: boolean): void {
    const effect = this.#effects.get(number);
    if (effect === undefined) return;
    effect.status = answer.status;
    effect.stray = abandoned || this.#isStray(life);
  }

  sentToSystem({ number, system, call, life }: SentSystemCall): void {
    if (call.writes) this.#effect(number, life, `${system} ${call.site}`, call.about ?? "");
  }

  doneBySystem({ number, life }: SentSystemCall, changed: readonly string[], abandoned: boolean): void {
    const effect = this.#effects.get(number);
    if (effect === undefined) return;
    effect.hit = changed.map((resource) => this.#named(resource));
    effect.stray = abandoned || this.#isStray(life);
  }

  systemChanged(system: string, changes: readonly SystemChange[]): void {
    const at = this.#now();
    const { unjudged: ends, recurring } = this.#scenario;
    for (const { type, resource } of changes) {
      const unjudged = ends?.test(resource) === true || recurring?.test(resource) === true;
      this.history.changes.push({ at, type, resource: system, object: this.#named(resource), unjudged });
    }
  }

  /** The same with the names of objects instead of their uids. */
  #named(text: string): string {
    return text.replace(UID, (uid) => this.#names.get(uid) ?? uid);
  }

  heard({ call, life }: SentCall, answer: Answer): void {
    if (!call.writes || call.lease || answer.kind !== "whole" || answer.status >= 300 || call.query.has("dryRun"))
      return;
    const value: Json = JSON.parse(answer.body.toString()) as Json;
    if (isObject(value) && isObject(value["metadata"]))
      this.#knows(life, "own write", call.resource, value as KubeObject);
  }

  probe(life: Incarnation): Probe {
    const mark = (controller: string, key: string, what: "begin" | "end"): void => {
      if (life.alive) {
        this.history.runs.push({ at: this.#now(), identity: life.identity, controller, key, what });
      }
    };
    const failed = new Set<string>();
    this.#failed.set(life, failed);
    return {
      begin(controller, key) {
        mark(controller, key, "begin");
        failed.delete(`${controller} ${key}`);
        return (hasFailed) => {
          mark(controller, key, "end");
          if (hasFailed) failed.add(`${controller} ${key}`);
        };
      },
      holds: (table, namespace, list) => this.caches.add({ life, table, namespace, list }),
      read: (table, object) => this.#knows(life, "cache", table, object as KubeObject),
    };
  }

  /** Whether a process that may write has a run to try again, however long it waits before. */
  get owing(): boolean {
    return [...this.#failed].some(([life, keys]) => keys.size > 0 && !this.#isStray(life));
  }

  mishap(what: string): void {
    this.history.mishaps.push({ at: this.#now(), what });
  }

  #effect(number: number, life: Incarnation, site: string, object: string): void {
    const { name: process, identity } = life;
    const sent = { number, sentAt: this.#now(), process, identity, site, object, lease: this.#lease };
    const effect: Effect = { ...sent, status: undefined, hit: [], stray: false };
    this.#effects.set(number, effect);
    this.history.effects.push(effect);
  }

  /** Whether what reaches its place now comes from a process that is dead, or no longer holds the lease. */
  #isStray(life: Incarnation): boolean {
    const { holder, validUntil } = this.#lease ?? { holder: life.identity, validUntil: Number.POSITIVE_INFINITY };
    return !life.alive || holder !== life.identity || this.#now() > validUntil;
  }

  #knows(life: Incarnation, from: "own write" | "cache", table: string, { metadata }: KubeObject): void {
    const { uid, resourceVersion, namespace, name = "" } = metadata;
    if (!life.alive || uid === undefined || resourceVersion === undefined) return;
    const object = `${table} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
    const { identity } = life;
    this.history.knowledge.push({ at: this.#now(), from, identity, object, uid, resourceVersion });
  }

  #changed(table: string, type: "ADDED" | "MODIFIED" | "DELETED", object: KubeObject): void {
    const { lease } = this.#scenario;
    const { name, namespace } = object.metadata;
    if (table === LEASES && lease?.name === name && lease?.namespace === namespace)
      this.#lease = this.#truth(type, object);
    if (!UNJUDGED.has(table)) {
      const named = objectName(table, object);
      const unjudged = this.#scenario.recurring?.test(named) ?? false;
      this.history.changes.push({ at: this.#now(), type, resource: table, object: named, unjudged });
      if (object.metadata.uid !== undefined) this.#names.set(object.metadata.uid, named);
    }
    for (const listener of this.#listeners) listener(table, type, object);
  }

  #truth(type: string, object: KubeObject): LeaseTruth {
    const spec = isObject(object["spec"]) ? object["spec"] : {};
    const seconds = Number(spec["leaseDurationSeconds"] ?? 0);
    if (type === "DELETED") return { holder: "", validUntil: 0 };
    return { holder: String(spec["holderIdentity"] ?? ""), validUntil: this.#now() + seconds * 1000 };
  }
}
