import type { ApiObject, Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { ConnectedGateway } from "@gatewright/resources";
import type { State, Subject } from "./answer.ts";
import { conditionState } from "./condition-state.ts";
import type { AnyCondition } from "./condition-state.ts";
import { connectedState } from "./explain/connected-state.ts";
import type { Vocabulary } from "./reasons/catalogue.ts";
import { subjectOfObject } from "./subject.ts";

/** Something that happened to an object. Plain values: it can be sent as JSON. */
export interface Moment {
  /** Milliseconds since the epoch: when it was seen. */
  readonly at: number;
  readonly subject: Subject;
  /** `CertificateIssued`, `Made`, `Event`: the condition that changed, or what else happened. */
  readonly what: string;
  readonly state: State;
  readonly reason: string;
  readonly message: string;
  /** Milliseconds since the moment before of the same object. */
  readonly after?: number;
}

/** What one kind of change was. */
export type ChangeType = "ADDED" | "MODIFIED" | "DELETED";

interface Known {
  readonly facts: ReadonlyMap<string, AnyCondition>;
  readonly at: number | undefined;
}

/** Controllers write an event with each change of a condition. */
const ECHO_MS = 5_000;

const WORDS: readonly Vocabulary[] = ["applications", "hostnames", "infra", "routing", "gateway-api", "kubernetes"];

/** Tells what changed from one sight of an object to the next: conditions that became others, coming and going. */
export class Timeline {
  readonly #known = new Map<string, Known>();
  /** What conditions said, and when. */
  readonly #told = new Map<string, number>();

  /** What is there before anything happens: nothing is told of it. */
  begin(object: Immutable<ApiObject>): void {
    this.#known.set(keyOf(object), { facts: factsOf(object), at: undefined });
  }

  /** What happened, by an object as it is now. An object that was seen before is not made again. */
  note(type: ChangeType, object: Immutable<ApiObject>, now: number): readonly Moment[] {
    const key = keyOf(object);
    const before = this.#known.get(key);
    const moment = (what: string, state: State, reason: string, message: string): Moment => ({
      at: now,
      subject: subjectOfObject(object),
      what,
      state,
      reason,
      message,
      ...(before?.at !== undefined && { after: now - before.at }),
    });
    if (type === "DELETED") {
      this.#known.delete(key);
      const isGateway = object.kind === "ConnectedGateway";
      return [
        isGateway
          ? moment("Gone", "broken", "Disconnected", "The gateway is gone.")
          : moment("Gone", "waiting", "Deleted", ""),
      ];
    }
    const facts = factsOf(object);
    const moments = before === undefined ? [moment("Made", "waiting", "Created", "")] : [];
    for (const [name, fact] of facts) {
      const was = before?.facts.get(name);
      if ((was?.status === fact.status && was.reason === fact.reason) || isEcho(name, fact, facts)) continue;
      const state = conditionState(fact, undefined, WORDS, now);
      moments.push(moment(name, state, fact.reason ?? "", fact.message ?? ""));
    }
    this.#known.set(key, { facts, at: moments.length > 0 ? now : before?.at });
    for (const { reason, message } of moments) this.#told.set(`${reason} ${message}`, now);
    for (const [words, at] of this.#told) if (now - at > ECHO_MS) this.#told.delete(words);
    return moments;
  }

  /** An event as a moment of the object that it is about; undefined for one that says again what a condition said. */
  event(event: Immutable<core.Event>, now: number): Moment | undefined {
    const { reason = "", message = "" } = event;
    const told = this.#told.get(`${reason} ${message}`);
    return told !== undefined && now - told <= ECHO_MS ? undefined : eventMoment(event, now);
  }
}

/** A condition that sums others up is no news while it says what one of them says; what is under way is told by the rest. */
function isEcho(name: string, fact: AnyCondition, facts: ReadonlyMap<string, AnyCondition>): boolean {
  if (name === "Progressing") return true;
  if (name !== "Ready" || fact.status === "True") return false;
  return [...facts].some(
    ([other, { reason, status }]) => other !== name && status !== "True" && reason === fact.reason,
  );
}

function eventMoment(event: Immutable<core.Event>, now: number): Moment {
  const { involvedObject: about, type, reason = "", message = "" } = event;
  const { apiVersion = "", kind = "", namespace, name = "" } = about;
  return {
    at: now,
    subject: { apiVersion, kind, ...(namespace !== undefined && { namespace }), name },
    what: "Event",
    state: type === "Warning" ? "warning" : "ok",
    reason,
    message,
  };
}

function keyOf({ metadata: { uid, namespace = "", name = "" }, kind }: Immutable<ApiObject>): string {
  return uid ?? `${kind} ${namespace}/${name}`;
}

interface Told {
  readonly conditions?: readonly AnyCondition[];
  readonly parents?: readonly {
    readonly conditions?: readonly AnyCondition[];
    readonly parentRef?: { readonly name?: string };
  }[];
}

function factsOf(object: Immutable<ApiObject>): ReadonlyMap<string, AnyCondition> {
  if (object.kind === "ConnectedGateway") {
    const { state, reason, message } = connectedState(object as Immutable<ConnectedGateway>);
    return new Map([
      ["Configuration", { type: "Configuration", status: state === "ok" ? "True" : "False", reason, message }],
    ]);
  }
  const { conditions = [], parents = [] } = (object as { readonly status?: Told }).status ?? {};
  const ofParents = parents.flatMap(({ conditions: own = [], parentRef }) =>
    own.map((each) => [`${each.type} by ${parentRef?.name ?? "?"}`, each] as const),
  );
  return new Map([...conditions.map((each) => [each.type, each] as const), ...ofParents]);
}
