import { invalid, isValidPortName, isValidPortNum } from "@gatewright/kube";
import type { FieldError, FieldPath, Json } from "@gatewright/kube";

export const PROTOCOLS: readonly string[] = ["SCTP", "TCP", "UDP"];

export function portNumberErrors(port: number, path: FieldPath): FieldError[] {
  return isValidPortNum(port).map((why) => invalid(path, port, why));
}

/** A port by its number, or by the name of a container port. */
export function portNumberOrNameErrors(port: Json, path: FieldPath): FieldError[] {
  if (typeof port === "number") return portNumberErrors(port, path);
  return isValidPortName(String(port)).map((why) => invalid(path, String(port), why));
}
