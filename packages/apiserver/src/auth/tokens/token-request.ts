import {
  badRequest,
  builtinType,
  conflict,
  decodeBuiltin,
  formatTime,
  invalid,
  invalidObject,
  notFound,
  parseGroupVersion,
} from "@gatewright/kube";
import type { FieldError, GroupResource, JsonObject, KubeObject } from "@gatewright/kube";
import type { Cluster } from "../../cluster.ts";
import { number, struct, text, texts } from "../../resources/object-fields.ts";
import type { ActionSubresource, WriteContext } from "../../resources/resource.ts";
import { referenceTo } from "./service-account-claims.ts";
import type { Reference } from "./service-account-claims.ts";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";

const GROUP = "authentication.k8s.io";
const KIND = { group: GROUP, version: "v1", kind: "TokenRequest" };
const DEFAULT_SECONDS = 3600;
const MIN_SECONDS = 600;
/** What kubelets ask for; such tokens live longer than asked, for clients that read their token only once. */
const PROJECTED_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * 3600;

const core = (resource: string): GroupResource => ({ group: "", resource });

export interface TokenRequestDeps {
  readonly tokens: ServiceAccountTokens;
  /** Whom tokens are meant for when the request does not say. */
  readonly audiences: readonly string[];
}

/** The `token` subresource of ServiceAccounts: `kubectl create token`. */
export function tokenSubresource({ tokens, audiences }: TokenRequestDeps): ActionSubresource {
  return {
    type: "action",
    kind: KIND,
    async create(body, target, name, context) {
      const request = decode(body);
      const wrong = request.metadata.name ?? "";
      if (wrong !== "" && wrong !== name) {
        refuse(name, [invalid("metadata.name", wrong, "must match the service account name if specified")]);
      }
      if (request.metadata.namespace && request.metadata.namespace !== context.namespace) {
        throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
      }
      if (!target) throw notFound(core("serviceaccounts"), name);
      const account = referenceTo(target);
      const { uid } = request.metadata;
      if (uid && uid !== account.uid) {
        const why = `the UID in the token request (${uid}) does not match the UID of the service account (${account.uid})`;
        throw conflict({ group: GROUP, resource: KIND.kind }, name, why);
      }
      const spec = struct(request, "spec");
      const given = texts(spec, "audiences");
      const wanted = [...(given.length > 0 ? given : audiences)];
      const seconds = number(spec, "expirationSeconds") ?? DEFAULT_SECONDS;
      refuse("", durationErrors(seconds));
      const bound = boundTo(struct(spec, "boundObjectRef"), name, context);
      const extended = bound.pod && seconds === PROJECTED_SECONDS && wanted.every((w) => audiences.includes(w));
      const token = tokens.issue({
        namespace: context.namespace,
        serviceAccount: account,
        audiences: wanted,
        seconds: extended ? EXTENDED_SECONDS : seconds,
        ...bound,
        ...(extended && { warnAfterSeconds: seconds }),
      });
      return {
        kind: KIND.kind,
        apiVersion: `${GROUP}/v1`,
        metadata: {
          name,
          namespace: context.namespace,
          uid: account.uid,
          creationTimestamp: formatTime(context.now),
        },
        spec: { audiences: wanted, expirationSeconds: seconds, boundObjectRef: struct(spec, "boundObjectRef") ?? null },
        status: { token, expirationTimestamp: formatTime(context.now + seconds * 1000) },
      };
    },
  };
}

function decode(body: JsonObject): KubeObject {
  const type = builtinType(KIND.group, KIND.version, KIND.kind);
  if (!type) throw new Error("the table of built-in types has no TokenRequest");
  const { object } = decodeBuiltin(body, type);
  object.metadata ??= {};
  return object;
}

function refuse(name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidObject(KIND, name, errors);
}

function durationErrors(seconds: number): FieldError[] {
  const path = "spec.expirationSeconds";
  if (seconds < MIN_SECONDS) return [invalid(path, seconds, "may not specify a duration less than 10 minutes")];
  if (seconds > 2 ** 32) return [invalid(path, seconds, "may not specify a duration larger than 2^32 seconds")];
  return [];
}

interface Bound {
  pod?: Reference;
  secret?: Reference;
  node?: Reference;
}

/** Looks up what the token is to be bound to. Throws 404 or 409 when it is not there as the request has it. */
function boundTo(ref: JsonObject | undefined, account: string, { cluster, namespace }: WriteContext): Bound {
  if (!ref) return {};
  const { group = "", version = "" } = parseGroupVersion(text(ref, "apiVersion")) ?? {};
  const kind = text(ref, "kind");
  const name = text(ref, "name");
  if (group !== "" || !["Pod", "Secret", "Node"].includes(kind)) {
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  const object = existing(cluster, core(`${kind.toLowerCase()}s`), kind === "Node" ? "" : namespace, name);
  if (kind === "Pod" && text(struct(object, "spec"), "serviceAccountName") !== account) {
    throw badRequest(
      `cannot bind token for serviceaccount "${account}" to pod running with different serviceaccount name.`,
    );
  }
  const uid = text(ref, "uid");
  if (uid !== "" && uid !== object.metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: "", resource: kind }, name, why);
  }
  if (kind === "Secret") return { secret: referenceTo(object) };
  if (kind === "Node") return { node: referenceTo(object) };
  const nodeName = text(struct(object, "spec"), "nodeName");
  if (nodeName === "") return { pod: referenceTo(object) };
  const node = cluster.get(core("nodes"), "", nodeName);
  return { pod: referenceTo(object), node: node ? referenceTo(node) : { name: nodeName, uid: "" } };
}

function existing(cluster: Cluster, resource: GroupResource, namespace: string, name: string): KubeObject {
  const object = cluster.get(resource, namespace, name);
  if (!object) throw notFound(resource, name);
  return object;
}
