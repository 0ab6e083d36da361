import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { now } from "../../browser/time.ts";
import type { KubeObject, ShownKind } from "../model/kube.ts";
import { POOL_LABEL } from "../model/lanes.ts";
import { standingOf } from "../model/state.ts";
import type { Standing } from "../model/state.ts";
import type { KnownKind, Live, Shown } from "./live.ts";
import { useObservable } from "./observable.ts";

/** What every part of the page can use: who its user is, the kinds, and what is followed. */
export interface Session {
  readonly user: { readonly username: string; readonly groups: readonly string[] };
  readonly kinds: readonly ShownKind[];
  readonly live: Live;
  /** The one namespace that is looked at; undefined: all. */
  readonly namespace: string | undefined;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("used outside of a session");
  return session;
}

/** What is known of a kind, live. */
export function useKind(id: string): KnownKind {
  const { live } = useSession();
  return useObservable(live.kind(id));
}

/** Several kinds at once. The ids must be the same each time. */
export function useKinds(ids: readonly string[]): readonly KnownKind[] {
  return ids.map((id) => useKind(id));
}

export function kindById(session: Session, id: string): ShownKind | undefined {
  return session.kinds.find((kind) => kind.id === id);
}

/** The kind of an object, by what it says of itself. */
export function kindOfObject(session: Session, apiVersion: string, kind: string): ShownKind | undefined {
  const group = apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
  return session.kinds.find((each) => each.kind === kind && each.group === group);
}

export function objectsOf(known: KnownKind): readonly KubeObject[] {
  return Array.from(known.objects.values(), ({ object }) => object);
}

/** Routes that the pool of Gateways makes for itself (redirects, answers to unknown names) are nobody's concern. */
export function withoutPool(known: KnownKind): KnownKind {
  const objects = [...known.objects].filter(([, { object }]) => object.metadata.labels?.[POOL_LABEL] !== "true");
  return { ...known, objects: new Map(objects) };
}

/** How an object is: by the server's word, which knows every reason; else by the object's own. */
export function standing({ object, row }: Shown): Standing {
  return row ?? standingOf(object, now());
}
