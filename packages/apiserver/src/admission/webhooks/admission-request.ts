import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import type { AdmissionAttributes } from "../admission.ts";
import { admissionNamespace } from "../matching/admission-namespace.ts";
import type { Invocation } from "../matching/match-criteria.ts";

/** The objects of a request in the version that is asked for. */
export interface VersionedObjects {
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
}

/** What is told of a request besides its objects: to webhooks and, as `request`, to expressions. */
export function requestFacts(attributes: AdmissionAttributes, invocation: Invocation): JsonObject {
  const { subresource, name, operation, user, dryRun, options } = attributes;
  const namespace = admissionNamespace(attributes);
  return {
    kind: { ...invocation.kind },
    resource: { ...invocation.resource },
    ...(subresource !== "" && { subResource: subresource }),
    requestKind: { ...attributes.kind },
    requestResource: { ...attributes.resource },
    ...(subresource !== "" && { requestSubResource: subresource }),
    ...(name !== "" && { name }),
    ...(namespace !== "" && { namespace }),
    operation,
    userInfo: userInfo(user),
    dryRun,
    options,
  };
}

/** The body of a review for a webhook. `uid` ties the answer to it. */
export function admissionReview(
  attributes: AdmissionAttributes,
  invocation: Invocation,
  { object, oldObject }: VersionedObjects,
  version: string,
  uid: string,
): Json {
  const { dryRun = false, options = null, ...facts } = requestFacts(attributes, invocation);
  const request = { uid, ...facts, object: object ?? null, oldObject: oldObject ?? null, dryRun, options };
  return { kind: "AdmissionReview", apiVersion: `admission.k8s.io/${version}`, request };
}

function userInfo({ username, uid, groups, extra }: AdmissionAttributes["user"]): JsonObject {
  return {
    ...(username !== "" && { username }),
    ...(uid !== undefined && uid !== "" && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(extra && Object.keys(extra).length > 0 && { extra: extra as unknown as JsonObject }),
  };
}
