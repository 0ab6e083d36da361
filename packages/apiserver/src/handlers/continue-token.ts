import path from "node:path";
import { BodySyntaxError, badRequest, getOwn, goJsonType, isObject, parseJson } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";

/** Where the next page of a list starts, and the revision that all its pages show. */
export interface ContinueToken {
  /** -1: go on at whatever the newest revision is. */
  readonly revision: number;
  readonly start: string;
}

/** The opaque text that a client sends back. */
export function encodeContinue(token: ContinueToken): string {
  const json = JSON.stringify({ v: "meta.k8s.io/v1", rv: token.revision, start: token.start });
  return Buffer.from(json).toString("base64url");
}

/** Reads a token that a client sent. Throws 400 for anything that this server cannot have made. */
export function decodeContinue(text: string): ContinueToken {
  const refuse = (why: string): never => {
    throw badRequest(`invalid continue token: continue key is not valid: ${why}`);
  };
  let value: Json;
  try {
    ({ value } = parseJson(Buffer.from(text, "base64url")));
  } catch (error) {
    if (error instanceof BodySyntaxError) return refuse(error.message);
    throw error;
  }
  if (!isObject(value) && value !== null) {
    return refuse(`json: cannot unmarshal ${goJsonType(value)} into Go value of type storage.continueToken`);
  }
  const read = (field: string): Json => (value === null ? null : (getOwn(value, field) ?? null));
  const [v, rv, start] = [read("v") ?? "", read("rv") ?? 0, read("start") ?? ""];
  const mistyped = (field: string, given: Json, type: string): never =>
    refuse(`json: cannot unmarshal ${goJsonType(given)} into Go struct field continueToken.${field} of type ${type}`);
  if (typeof v !== "string") return mistyped("v", v, "string");
  if (typeof rv !== "number") return mistyped("rv", rv, "int64");
  if (typeof start !== "string") return mistyped("start", start, "string");
  if (v !== "meta.k8s.io/v1") return refuse(`server does not recognize this encoded version ${v}`);
  if (!Number.isSafeInteger(rv) || rv === 0) {
    return refuse("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  if (start === "") return refuse("encoded start key empty (version meta.k8s.io/v1)");
  if (path.posix.normalize(`/${start}`) !== `/${start}`) return refuse(start);
  return { revision: rv, start };
}
