import type { ComponentChildren, JSX } from "preact";
import { href } from "../state/location.ts";
import { kindOfObject, useSession } from "../state/session.ts";

/** An object that something is said about. */
export interface Subject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** The address of an object's page. Objects of a kind that is not shown have none. */
export function useSubjectHref(): (subject: Subject) => string | undefined {
  const session = useSession();
  return ({ apiVersion, kind, namespace, name }) => {
    const shown = kindOfObject(session, apiVersion, kind);
    return shown && href("object", shown.id, namespace ?? "-", name);
  };
}

/** A link to an object's page, or its words where it has none. */
export function SubjectLink({
  subject,
  children,
}: {
  readonly subject: Subject;
  readonly children: ComponentChildren;
}): JSX.Element {
  const address = useSubjectHref()(subject);
  return address === undefined ? <>{children}</> : <a href={address}>{children}</a>;
}
