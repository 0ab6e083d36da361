import type { Question, Reader, Unreadable } from "@gatewright/explain";
import { DomainClaim, GatewayHostnameRequest } from "@gatewright/resources";
import type { Asked } from "./asked-object.ts";
import { UnreadError } from "../cluster/unread-error.ts";
import { UsageError } from "../usage-error.ts";

export interface Where {
  /** What `-n` said, if anything. */
  readonly given: string | undefined;
  /** Of the context. */
  readonly usual: string;
}

/**
 * The object that is meant. In the namespace that is given, or of the context; if it is not there and none was given, wherever the only
 * one of that name is, as far as that may be read. Rejects with {@link UnreadError} when no answer came that could have told of one.
 */
export async function findQuestion(reader: Reader, asked: Asked, where: Where, signal: AbortSignal): Promise<Question> {
  if ("hostname" in asked) return findHostname(reader, asked.hostname, where, signal);
  const namespace = asked.namespace ?? where.given;
  const [first] = asked.kinds;
  const usual = { namespace: namespace ?? where.usual, name: asked.name };
  let unread: Question | undefined;
  for (const { resource } of asked.kinds) {
    const ref = resource.namespaced ? usual : { name: asked.name };
    const seen = await reader.get(resource, ref, signal);
    if (seen.state === "present") return { resource, ref };
    if (seen.state === "unknown" && seen.problem.reason === "NoAnswer") unread ??= { resource, ref };
  }
  let problem: Unreadable | undefined;
  if (namespace === undefined) {
    for (const { resource } of asked.kinds.filter((kind) => kind.resource.namespaced)) {
      const seen = await reader.list(resource, { fieldSelector: `metadata.name=${asked.name}` }, signal);
      if (seen.state === "unknown" && seen.problem.reason === "NoAnswer") problem ??= seen.problem;
      const found = seen.state === "known" ? seen.items.map(({ metadata }) => metadata.namespace ?? "") : [];
      if (found.length === 1) return { resource, ref: { namespace: found[0]!, name: asked.name } };
      if (found.length > 1) {
        throw new UsageError(`there are several: in ${found.join(", ")}; say which with -n`);
      }
    }
  }
  // The answer to it says, also to programs, that it could not be read.
  if (unread !== undefined) return unread;
  if (problem !== undefined) throw new UnreadError(problem);
  const { resource } = first!;
  return { resource, ref: resource.namespaced ? usual : { name: asked.name } };
}

/** The request of a hostname; if there is none, that of the wildcard over it. */
async function findHostname(reader: Reader, hostname: string, where: Where, signal: AbortSignal): Promise<Question> {
  const wildcard = hostname.replace(/^[^.]+/, "*");
  let problem: Unreadable | undefined;
  const noting: Reader = {
    get: (resource, ref) => reader.get(resource, ref, signal),
    list: async (resource, selection) => {
      const seen = await reader.list(resource, selection, signal);
      // What may not be read leaves the rest as it is. Anything else says nothing about who has asked.
      if (seen.state === "unknown" && seen.problem.reason !== "Forbidden") problem ??= seen.problem;
      return seen;
    },
  };
  for (const name of new Set([hostname, wildcard])) {
    const found = await findRequest(noting, name, where, signal);
    if (found !== undefined) return found;
  }
  if (problem !== undefined) throw new UnreadError(problem);
  throw new UsageError(
    `nobody has asked for ${hostname}, as far as you may see: make a GatewayHostnameRequest, or expose an Application`,
  );
}

/** In the namespace that is given, if that has asked for it too; then that which holds it; then one that may be read. */
async function findRequest(
  reader: Reader,
  hostname: string,
  where: Where,
  signal: AbortSignal,
): Promise<Question | undefined> {
  const asks = async (selection: Parameters<Reader["list"]>[1]): Promise<Question | undefined> => {
    const seen = await reader.list(GatewayHostnameRequest, selection, signal);
    const requests = seen.state === "known" ? seen.items : [];
    const request = requests.find(({ spec }) => spelled(spec.hostname) === hostname);
    const { namespace: home = "", name = "" } = request?.metadata ?? {};
    return request === undefined ? undefined : { resource: GatewayHostnameRequest, ref: { namespace: home, name } };
  };
  const own = where.given === undefined ? undefined : await asks({ namespace: where.given });
  if (own !== undefined) return own;
  const claims = await reader.list(DomainClaim, { fieldSelector: `spec.hostname=${hostname}` }, signal);
  const [claim] = claims.state === "known" ? claims.items : [];
  if (claim !== undefined) {
    const { namespace, name } = claim.spec.ownerRef;
    return { resource: GatewayHostnameRequest, ref: { namespace, name } };
  }
  if (where.given !== undefined) return undefined;
  const fieldSelector = `spec.hostname=${hostname}`;
  return (await asks({ fieldSelector })) ?? asks({ namespace: where.usual });
}

/** Upper case and a dot at the end mean nothing. */
function spelled(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, "");
}
