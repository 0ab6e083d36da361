import { applyServerSide } from "@gatewright/kube/fields";
import { decodeApplyPatch, strictApplyError } from "@gatewright/kube/patch";
import { conflict, deepClone, formatTime } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import type { ObjectSubresource } from "../resources/resource.ts";
import type { Transform } from "../writer/update.ts";
import { apiVersionOf, blankOf, typesOf } from "../writer/write-call.ts";
import { reportProblems } from "./body.ts";
import { writeCall } from "./resource-call.ts";
import type { ResourceCall } from "./resource-call.ts";
import { checkUid } from "./check-uid.ts";
import { checkName } from "./update.ts";
import type { WriteOptions } from "./write-options.ts";

/** Server-side apply of the request's body: what the object becomes, with who owns what recorded in it. */
export function applyTransform(
  call: ResourceCall,
  options: WriteOptions,
  rules: ObjectSubresource | undefined,
): Transform {
  const { resource, version, info, deps } = call;
  const { patch, problems } = decodeApplyPatch(call.request.body);
  return (old) => {
    const { object } = applyServerSide({
      live: old,
      patch: patch as KubeObject,
      kind: resource.kind,
      blank: blankOf(call),
      manager: options.fieldManager,
      force: options.force === true,
      apiVersion: apiVersionOf(writeCall(call, options)),
      subresource: info.subresource,
      now: formatTime(deps.clock.now()),
      typeOf: typesOf(resource),
      resetFields: rules?.resetFields ?? resource.strategy.resetFields,
    });
    reportProblems(call, problems, options.fieldValidation, () => strictApplyError(problems));
    const { uid = "" } = object.metadata;
    if (!old && uid !== "") {
      const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
      throw conflict(resource, info.name, why);
    }
    checkName(object, info.name);
    if (old) checkUid(call, object, old);
    return { object: version.normalize(deepClone(object), { keepNulls: true }), fieldsTracked: true };
  };
}
