import { s } from "@gatewright/kube/define";
import { group, groupOr, kind, kindOr, namespaceName, objectName } from "./name-fields.ts";

/** An object in the same namespace. */
export const localReference = (description: string) => s.object({ group, kind, name: objectName }, { description });

/** An object of any kind. */
export const objectReference = (description: string) =>
  s.object({ group, kind, name: objectName, namespace: namespaceName.optional() }, { description });

/** A certificate: a Secret unless said otherwise. In another namespace it takes a ReferenceGrant there. */
export const certificateReference = (description: string) =>
  s.object(
    { group: groupOr(""), kind: kindOr("Secret"), name: objectName, namespace: namespaceName.optional() },
    { description },
  );
