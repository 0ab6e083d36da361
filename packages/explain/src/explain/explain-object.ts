import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import { HostnameGrant } from "@gatewright/resources";
import type { Cause } from "../chain.ts";
import type { Known } from "../known.ts";
import { link, unreadLink } from "../link.ts";
import { subjectOf } from "../subject.ts";
import type { Explained, Explainer } from "./explained.ts";
import { EXPLAINERS } from "./explainers.ts";
import { objectLink } from "./object-link.ts";

/** Explains any object. */
export function explainObject(known: Known, resource: Resource, ref: ObjectRef): Explained {
  const title = `${resource.kind} ${ref.name}`;
  const subject = subjectOf(resource, ref);
  const seen = known.get<ApiObject>(resource, ref);
  switch (seen.state) {
    case "unknown":
      return { root: unreadLink(title, seen.problem, subject) };
    case "absent":
      return { root: absentLink(known, resource, ref) };
    case "present": {
      const explain: Explainer = EXPLAINERS.get(`${resource.group}/${resource.kind}`) ?? plainly;
      const said = explain(known, seen.object);
      return "root" in said ? said : { root: said };
    }
  }
}

/** A kind of which no more is known than its conditions. */
function plainly(known: Known, object: Immutable<ApiObject>): Cause {
  return objectLink(object, { words: ["found", "gateway-api", "kubernetes"], now: known.now });
}

/** Kinds whose objects are asked about by policies or webhooks before they are stored. */
const CHECKED: ReadonlySet<string> = new Set(["avapigw.io", "gateway.networking.k8s.io", "networking.k8s.io"]);

/** Something that is not there: a wrong namespace, or it was refused when it was applied. */
function absentLink(known: Known, resource: Resource, { namespace, name }: ObjectRef): Cause {
  const subject = subjectOf(resource, { ...(namespace !== undefined && { namespace }), name });
  const here = namespace === undefined || !resource.namespaced ? "" : ` in namespace ${namespace}`;
  const others = known.list(resource, resource.namespaced && namespace !== undefined ? { namespace } : {});
  const names = others.state === "known" ? others.items.map(({ metadata }) => metadata.name ?? "") : [];
  const there = names.length === 0 || names.length > 12 ? "" : ` There are: ${names.join(", ")}.`;
  const steps = [
    ...(CHECKED.has(resource.group)
      ? [{ text: "If it was applied and refused, see why.", command: `gatewright why -f FILE` }]
      : []),
    {
      text: "Look in other namespaces.",
      command: `kubectl get ${resource.plural}.${resource.group} -A`.replace(". -A", " -A"),
    },
  ];
  const message = `There is no ${resource.kind} ${name}${here}.${there}`;
  const on =
    resource.group === "gateway.networking.k8s.io" && namespace !== undefined ? grantedLinks(known, namespace) : [];
  return link({
    title: `${resource.kind} ${name}`,
    subject,
    state: "broken",
    reason: "NotFound",
    message,
    next: steps,
    on,
  });
}

/** What routes of the namespace may use: mostly why one was refused. */
function grantedLinks(known: Known, namespace: string): readonly Cause[] {
  const seen = known.get(HostnameGrant, { namespace, name: "hostnames" });
  if (seen.state === "unknown") return [];
  const names = seen.state === "present" ? seen.object.spec.hostnames.join(", ") : "no hostname";
  const subject = subjectOf(HostnameGrant, { namespace, name: "hostnames" });
  return [
    link({ title: "Grant", subject, state: "ok", message: `Routes of namespace ${namespace} may use ${names}.` }),
  ];
}
