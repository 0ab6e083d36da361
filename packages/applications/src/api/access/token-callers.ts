import { createHash } from "node:crypto";
import { authentication } from "@gatewright/kube/api";
import type { Caller } from "@gatewright/runtime/serving";
import { memoryFor, notReviewed } from "./reviewed-access.ts";
import type { ReviewOptions } from "./reviewed-access.ts";

/** Says who shows a token. */
export interface TokenCallers {
  /** Undefined: the token is not good. Rejects with a StatusError when it cannot be found out. */
  callerOf(token: string): Promise<Caller | undefined>;
}

export interface TokenReviewOptions extends ReviewOptions {
  /** Whom tokens must be meant for. Default: the API server itself. */
  readonly audiences?: readonly string[];
}

/** Asks the API server by TokenReview, and believes the answer for a short while. Keeps no token, only its digest. */
export function reviewedTokens(options: TokenReviewOptions): TokenCallers {
  const memory = memoryFor<Caller | undefined>(options);
  return {
    async callerOf(token) {
      try {
        return await memory.get(createHash("sha256").update(token).digest("base64"), (signal) => review(token, signal));
      } catch (error) {
        throw notReviewed(error);
      }
    },
  };

  async function review(token: string, signal: AbortSignal): Promise<Caller | undefined> {
    const { audiences = [] } = options;
    const spec = { token, ...(audiences.length > 0 && { audiences: [...audiences] }) };
    const reviews = options.client.for(authentication.TokenReview);
    const { status } = await reviews.create({ metadata: {}, spec }, { signal });
    if (status?.authenticated !== true || (status.error ?? "") !== "") return undefined;
    // An authenticator that knows nothing of audiences says none: its word is then about another server.
    const meant = audiences.length === 0 || (status.audiences ?? []).some((audience) => audiences.includes(audience));
    const { username = "", uid, groups = [], extra } = status.user ?? {};
    if (!meant || username === "") return undefined;
    return { username, groups, ...(uid !== undefined && { uid }), ...(extra !== undefined && { extra }) };
  }
}
