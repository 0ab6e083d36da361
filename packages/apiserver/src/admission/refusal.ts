import { forbidden } from "@gatewright/kube";
import type { StatusCause, StatusError } from "@gatewright/kube";
import type { AdmissionAttributes } from "./admission.ts";

/** 403 for the object that is being written, which may not have a name yet. */
export function refusal(attributes: AdmissionAttributes, why: string, causes?: StatusCause[]): StatusError {
  const metadata = attributes.object?.metadata;
  const name = attributes.name || metadata?.name || metadata?.generateName || "Unknown";
  return forbidden(attributes.resource, name, why, causes);
}
