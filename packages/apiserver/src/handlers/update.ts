import { badRequest, deepClone } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import type { ApiResponse } from "../http/api-request.ts";
import type { ObjectSubresource } from "../resources/resource.ts";
import { updateObject } from "../writer/update.ts";
import { decodeObject } from "./body.ts";
import { unconditionalReplacement } from "./forgiving.ts";
import { checkMayCreate } from "./may-create.ts";
import { writeCall } from "./resource-call.ts";
import type { ResourceCall } from "./resource-call.ts";
import { respondObject } from "./respond.ts";
import { parseWriteOptions } from "./write-options.ts";

/** The name in a body must be the one of the URL. */
export function checkName(object: KubeObject, name: string): void {
  const own = object.metadata.name ?? "";
  if (own === "") {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (own !== name) throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
}

/** Answers PUT on an object or on a part of it. */
export async function handleUpdate(call: ResourceCall, rules?: ObjectSubresource): Promise<ApiResponse> {
  const { request, info, resource, deps } = call;
  const options = parseWriteOptions(request.query, request.headers["user-agent"] ?? "", "UpdateOptions");
  const object = decodeObject(call, options.fieldValidation);
  checkName(object, info.name);
  const { strategy } = resource;
  const version = object.metadata.resourceVersion ?? "";
  const forgiven = rules === undefined && version === "" && deps.forgiving.covers(resource);
  const written = await updateObject(
    writeCall(call, options),
    {
      name: info.name,
      transform: (old) => {
        const body = deepClone(object);
        return { object: forgiven ? unconditionalReplacement(body, old) : body };
      },
      ...(rules && { subresource: { name: info.subresource, rules } }),
      createMissing: rules === undefined && strategy.allowsCreateOnUpdate,
      mayCreate: () => checkMayCreate(call),
      unconditional: forgiven || strategy.allowsUnconditionalUpdate,
    },
    deps.writer,
  );
  return respondObject(call, written.created ? 201 : 200, written.object, written.entry);
}
