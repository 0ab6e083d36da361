import { SignatureError, verifySignature } from "@gatewright/aws-wire";
import type { WireRequest } from "@gatewright/aws-wire";
import type { Caller } from "../service.ts";
import type { KeyRing } from "./key-ring.ts";
import type { ServedService } from "./served-service.ts";

/** Operations that are for those who have no key yet. */
const UNSIGNED_OPERATIONS: ReadonlySet<string> = new Set(["AssumeRoleWithWebIdentity"]);

/** Who calls, for which region, and what was meant. */
export interface Authenticated {
  readonly caller: Caller;
  readonly region: string;
  readonly request: WireRequest;
}

/** Finds out who sent a request. Throws {@link SignatureError} when it proves nobody. */
export function authenticate(served: ServedService, request: WireRequest, keys: KeyRing, now: number): Authenticated {
  try {
    const verified = verifySignature(request, { secretFor: (id) => keys.secretFor(id), now });
    const caller = keys.callerOf(verified.accessKeyId);
    if (!caller) throw new SignatureError({ kind: "unknown key", accessKeyId: verified.accessKeyId });
    if (!/^[a-z0-9-]{1,32}$/.test(verified.region)) {
      throw new SignatureError({
        kind: "incomplete",
        what: "Credential should be scoped to a valid region.",
        presigned: false,
      });
    }
    return { caller, region: verified.region, request: verified.request };
  } catch (error) {
    if (error instanceof SignatureError && error.fault.kind === "missing" && needsNone(served, request)) {
      return { caller: NOBODY, region: "us-east-1", request };
    }
    throw error;
  }
}

/** Who has shown nothing yet. The operation itself decides what they become. */
const NOBODY: Caller = { account: "", arn: "", userId: "", accessKeyId: "" };

function needsNone({ service, codec, model }: ServedService, request: WireRequest): boolean {
  return service.name === "sts" && UNSIGNED_OPERATIONS.has(codec.decodeRequest(model, request)?.operation ?? "");
}
