import { deepFreeze, getOwn, isObject } from "@gatewright/kube";
import type { ApiObject, Immutable, Json, JsonObject } from "@gatewright/kube";
import { MalformedReviewError } from "../malformed-review-error.ts";
import type { ReviewRequest } from "../read-review.ts";
import type { AdmissionRequest, AdmissionUser } from "./admission-request.ts";

/** Reads what an AdmissionReview asks. Throws {@link MalformedReviewError}. Of `T` nothing but the least of an object is checked. */
export function readAdmissionRequest<T extends ApiObject>({ uid, request }: ReviewRequest): AdmissionRequest<T> {
  const [kind, resource] = [structOf(request, "kind"), structOf(request, "resource")];
  const facts = {
    uid,
    kind: { group: textOf(kind, "group"), version: textOf(kind, "version"), kind: textOf(kind, "kind") },
    resource: {
      group: textOf(resource, "group"),
      version: textOf(resource, "version"),
      resource: textOf(resource, "resource"),
    },
    subresource: textOf(request, "subResource"),
    name: textOf(request, "name"),
    namespace: textOf(request, "namespace"),
    user: userOf(structOf(request, "userInfo")),
    dryRun: getOwn(request, "dryRun") === true,
    options: deepFreeze(getOwn(request, "options") ?? null),
  };
  const operation = textOf(request, "operation");
  switch (operation) {
    case "CREATE":
    case "CONNECT":
      return { ...facts, operation, object: objectOf<T>(request, "object"), oldObject: undefined };
    case "UPDATE": {
      const [object, oldObject] = [objectOf<T>(request, "object"), objectOf<T>(request, "oldObject")];
      return { ...facts, operation, object, oldObject };
    }
    case "DELETE":
      return { ...facts, operation, object: undefined, oldObject: objectOf<T>(request, "oldObject") };
    default:
      throw new MalformedReviewError(`${JSON.stringify(operation)} is no operation that can be reviewed`);
  }
}

function objectOf<T>(request: JsonObject, field: string): Immutable<T> {
  const value = getOwn(request, field);
  if (!isObject(value)) throw new MalformedReviewError(`the request has no ${field}`);
  if (!isObject(getOwn(value, "metadata"))) value["metadata"] = {};
  return deepFreeze(value) as unknown as Immutable<T>;
}

function userOf(user: JsonObject): AdmissionUser {
  const extra = Object.entries(structOf(user, "extra")).map(([key, values]) => [key, textsIn(values)] as const);
  return {
    username: textOf(user, "username"),
    uid: textOf(user, "uid"),
    groups: textsIn(getOwn(user, "groups")),
    extra: new Map(extra),
  };
}

function structOf(object: JsonObject, field: string): JsonObject {
  const value = getOwn(object, field);
  return isObject(value) ? value : {};
}

function textOf(object: JsonObject, field: string): string {
  const value = getOwn(object, field);
  return typeof value === "string" ? value : "";
}

function textsIn(values: Json | undefined): readonly string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
}
