import type { ApiObject, ObjectRef, Resource } from "@gatewright/kube";
import type { Cause } from "../chain.ts";
import type { Known } from "../known.ts";
import { link, unreadLink } from "../link.ts";
import { subjectOf } from "../subject.ts";
import { objectLink } from "./object-link.ts";

/** The chain under an object, and where it answers. */
export interface Explained {
  readonly root: Cause;
  readonly url?: string;
}

/** Explains any object. */
export function explainObject(known: Known, resource: Resource, ref: ObjectRef): Explained {
  const title = `${resource.kind} ${ref.name}`;
  const subject = subjectOf(resource, ref);
  const seen = known.get<ApiObject>(resource, ref);
  switch (seen.state) {
    case "unknown":
      return { root: unreadLink(title, seen.problem, subject) };
    case "absent":
      return {
        root: link({ title, subject, state: "broken", reason: "NotFound", message: "There is no such object." }),
      };
    case "present":
      return {
        root: objectLink(seen.object, {
          words: ["applications", "hostnames", "infra", "routing", "kubernetes"],
          now: known.now,
        }),
      };
  }
}
