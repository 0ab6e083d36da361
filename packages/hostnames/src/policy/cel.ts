import type { PolicySettings } from "./policy-settings.ts";

/** A text as CEL has it. */
export function celText(text: string): string {
  return JSON.stringify(text);
}

/** True for objects that are new, or whose spec changes: who only writes labels, finalizers or a status decides no hostname. */
export const SPEC_CHANGES = "request.operation == 'CREATE' || object.spec != oldObject.spec";

/** True for requests of others than the operator. */
export function byOthers({ writers: { users, groups } }: PolicySettings): string {
  const list = (texts: readonly string[]): string => `[${texts.map(celText).join(", ")}]`;
  return `!(request.userInfo.username in ${list(users)}) && !(has(request.userInfo.groups) && request.userInfo.groups.exists(g, g in ${list(groups)}))`;
}

const PARENTS =
  "(has(object.spec.parentRefs) ? object.spec.parentRefs : has(object.spec.parentRef) ? [object.spec.parentRef] : [])";
const OF_GATEWAY_API = "(!has(p.group) || p.group in ['gateway.networking.k8s.io', 'gateway.networking.x-k8s.io'])";

/** True for objects that are in the policies' scope. Routes of service meshes, whose parents are Services, are not. */
export function inScope({ scope, edgeNamespace }: PolicySettings): string {
  if (scope === "all") return `object.kind == 'Gateway' || ${PARENTS}.exists(p, ${OF_GATEWAY_API})`;
  return `${PARENTS}.exists(p, ${OF_GATEWAY_API} && (has(p.namespace) ? p.namespace : request.namespace) == ${celText(edgeNamespace)})`;
}

/** The hostnames that an object wants, in lower case; an empty text for a listener without one. */
export const HOSTNAMES =
  "has(object.spec.listeners) ? object.spec.listeners.map(l, has(l.hostname) ? l.hostname.lowerAscii() : '') : has(object.spec.hostnames) ? object.spec.hostnames.map(h, h.lowerAscii()) : []";

/** True if an object takes whatever name comes. Gateways may: it is their routes that name hostnames then. */
export const UNNAMED =
  "object.kind != 'Gateway' && (variables.hostnames.size() == 0 || variables.hostnames.exists(h, h == ''))";

/** Those that are not granted. A wildcard that is granted stands for one label. */
export const REFUSED =
  "variables.hostnames.filter(h, h != '' && !(h in variables.granted) && !(h.indexOf('.') > 0 && !h.startsWith('*') && ('*' + h.substring(h.indexOf('.'))) in variables.granted))";
