import { badRequest, child, invalid, invalidObject } from "@gatewright/kube";
import type { FieldError, Json, JsonObject, KubeObject } from "@gatewright/kube";
import { entries, specOf, struct, text, texts } from "../../resources/object-fields.ts";
import type { AccessAttributes, Authorizer } from "../authorizer.ts";
import type { UserInfo } from "../user.ts";
import type { Review } from "./review-resource.ts";

const GROUP = "authorization.k8s.io";

/** May this user do that? */
export function subjectAccessReview(authorizer: Authorizer): Review {
  return {
    group: GROUP,
    kind: "SubjectAccessReview",
    answer(question) {
      const spec = specOf(question);
      refuse([...attributeErrors(spec), ...subjectErrors(spec), ...metadataErrors(question, false)]);
      return answered(question, authorizer, attributesOf(spec, subjectOf(spec)));
    },
  };
}

/** May this user do that in this namespace? For those who administer no more than one. */
export function localSubjectAccessReview(authorizer: Authorizer): Review {
  return {
    group: GROUP,
    kind: "LocalSubjectAccessReview",
    namespaced: true,
    answer(question, { namespace }) {
      if (namespace === "") throw badRequest("namespace is required on this type: ");
      const asked: KubeObject = { ...question, metadata: { namespace, ...question.metadata } };
      const spec = specOf(asked);
      const errors = [...attributeErrors(spec), ...subjectErrors(spec), ...metadataErrors(asked, true)];
      const resource = struct(spec, "resourceAttributes");
      if (resource && text(resource, "namespace") !== namespace) {
        const path = "spec.resourceAttributes.namespace";
        errors.push(invalid(path, text(resource, "namespace"), "must match metadata.namespace"));
      }
      const path = struct(spec, "nonResourceAttributes");
      if (path)
        errors.push(invalid("spec.nonResourceAttributes", shownPath(path), "disallowed on this kind of request"));
      refuse(errors);
      return answered(asked, authorizer, attributesOf(spec, subjectOf(spec)));
    },
  };
}

/** May I do that? `kubectl auth can-i`. */
export function selfSubjectAccessReview(authorizer: Authorizer): Review {
  return {
    group: GROUP,
    kind: "SelfSubjectAccessReview",
    answer(question, { user }) {
      const spec = specOf(question);
      refuse([...attributeErrors(spec), ...metadataErrors(question, false)]);
      return answered(question, authorizer, attributesOf(spec, user));
    },
  };
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidObject({ group: GROUP, kind: "" }, "", errors);
}

/** Attributes of a path in the words of the server's internal type. */
const shownPath = (path: JsonObject): Json => ({ Path: text(path, "path"), Verb: text(path, "verb") });

function attributeErrors(spec: JsonObject): FieldError[] {
  const [resource, path] = [struct(spec, "resourceAttributes"), struct(spec, "nonResourceAttributes")];
  if (resource && path) {
    const why = "cannot be specified in combination with resourceAttributes";
    return [invalid(child("spec", "nonResourceAttributes"), shownPath(path), why)];
  }
  if (resource || path) return [];
  const why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  return [invalid(child("spec", "resourceAttributes"), null, why)];
}

function subjectErrors(spec: JsonObject): FieldError[] {
  if (text(spec, "user") !== "" || texts(spec, "groups").length > 0) return [];
  return [invalid(child("spec", "user"), "", "at least one of user or group must be specified")];
}

function metadataErrors({ metadata }: KubeObject, namespaced: boolean): FieldError[] {
  const allowed = namespaced ? ["managedFields", "namespace"] : ["managedFields"];
  const given = Object.entries(metadata).some(([field, value]) => value != null && !allowed.includes(field));
  if (!given) return [];
  return [invalid("metadata", metadata, namespaced ? "must be empty except for namespace" : "must be empty")];
}

function subjectOf(spec: JsonObject): UserInfo {
  const uid = text(spec, "uid");
  const extra = entries(spec, "extra") as readonly (readonly [string, string[]])[];
  return {
    username: text(spec, "user"),
    groups: texts(spec, "groups"),
    ...(uid !== "" && { uid }),
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
  };
}

function attributesOf(spec: JsonObject, user: UserInfo): AccessAttributes {
  const resource = struct(spec, "resourceAttributes");
  if (!resource) {
    const path = struct(spec, "nonResourceAttributes") ?? {};
    return { user, verb: text(path, "verb"), path: text(path, "path") };
  }
  return {
    user,
    verb: text(resource, "verb"),
    resource: {
      group: text(resource, "group"),
      version: text(resource, "version") || "*",
      resource: text(resource, "resource"),
      subresource: text(resource, "subresource"),
      namespace: text(resource, "namespace"),
      name: text(resource, "name"),
    },
  };
}

function answered(question: KubeObject, authorizer: Authorizer, attributes: AccessAttributes): KubeObject {
  const { allowed, reason } = authorizer.authorize(attributes);
  return { ...question, status: { allowed, ...(reason !== "" && { reason }) } };
}
