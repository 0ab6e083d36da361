import { authentication } from "@gatewright/kube/api";
import type { Client } from "@gatewright/runtime";
import { jsonAnswer } from "@gatewright/runtime/serving";
import type { HttpAnswer } from "@gatewright/runtime/serving";
import { SHOWN_KINDS } from "../shown-kinds.ts";

/** What the page begins with: who its user is, as the API server says, and which kinds it can show. */
export async function session(client: Client, signal: AbortSignal): Promise<HttpAnswer> {
  const review = await client.for(authentication.SelfSubjectReview).create({ metadata: {} }, { signal });
  const { username = "", groups = [] } = review.status?.userInfo ?? {};
  const kinds = SHOWN_KINDS.map((kind) => ({ ...kind }));
  return jsonAnswer(200, { user: { username, groups: [...groups] }, kinds });
}
