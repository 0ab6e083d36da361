import type { AdmissionAttributes } from "../admission.ts";

/** Whether the request is about a Namespace itself. */
export function isNamespace({ resource }: AdmissionAttributes): boolean {
  return resource.group === "" && resource.resource === "namespaces";
}

/** The namespace that webhooks and policies are told: for a Namespace itself, its own name. */
export function admissionNamespace(attributes: AdmissionAttributes): string {
  return isNamespace(attributes) ? attributes.name : attributes.namespace;
}
