import { BodySyntaxError, badRequest, isObject, parseJson } from "@gatewright/kube";
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
  if (!isObject(value)) return refuse("it is not a token that this server made");
  const { v, rv, start } = value;
  if (v !== "meta.k8s.io/v1") return refuse(`server does not recognize this encoded version ${JSON.stringify(v ?? "")}`);
  if (typeof rv !== "number" || !Number.isSafeInteger(rv) || rv === 0) {
    return refuse("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  if (typeof start !== "string" || start === "") return refuse("encoded start key empty (version meta.k8s.io/v1)");
  return { revision: rv, start };
}
