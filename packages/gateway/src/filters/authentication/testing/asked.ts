import assert from "node:assert/strict";
import type { ManualClock } from "@gatewright/ports";
import type { Answer } from "../../../exchange/answer.ts";
import { OutboundError } from "../../../outbound/fetch-json.ts";
import type { FetchJson, JsonReply, JsonRequest } from "../../../outbound/fetch-json.ts";
import type { Call } from "../../../pipeline/call.ts";
import type { Note } from "../../around.ts";
import { madeAround, madeCall } from "../../testing/made-call.ts";
import type { CallParts } from "../../testing/made-call.ts";
import { authenticationFilter } from "../authentication-filter.ts";
import type { AuthenticationSpec } from "../authentication-spec.ts";
import type { AuthenticationAround } from "../method.ts";

/** Services by address; what is not there cannot be reached. */
export interface Outside {
  readonly fetchJson: FetchJson;
  readonly asked: JsonRequest[];
  readonly replies: Map<string, Partial<JsonReply>>;
}

export function madeOutside(): Outside {
  const asked: JsonRequest[] = [];
  const replies = new Map<string, Partial<JsonReply>>();
  return {
    asked,
    replies,
    fetchJson: (request) => {
      asked.push(request);
      const reply = replies.get(request.url);
      return reply === undefined
        ? Promise.reject(new OutboundError("unreachable", "the service cannot be reached"))
        : Promise.resolve({ status: 200, body: undefined, maxAgeSeconds: undefined, ...reply });
    },
  };
}

/** A route's authentication in a world that stands still. */
export function madeAuthentication(spec: AuthenticationSpec, files: Readonly<Record<string, string>> = {}) {
  const outside = madeOutside();
  const around: AuthenticationAround & { readonly clock: ManualClock; readonly notes: Note[] } = {
    ...madeAround(),
    fetchJson: outside.fetchJson,
    readFile(path) {
      const text = files[path];
      if (text === undefined) throw new Error("ENOENT");
      return text;
    },
  };
  const filter = authenticationFilter({ enabled: true, ...spec }, around);
  const ask = async (
    parts: CallParts & Partial<Pick<Call, "client">> = {},
  ): Promise<{ call: Call; answer: Answer | undefined }> => {
    const call: Call = { ...madeCall(parts), ...(parts.client === undefined ? {} : { client: parts.client }) };
    assert.ok(filter);
    return { call, answer: await filter.request?.(call) };
  };
  const bearer = (token: string) => ask({ fields: { authorization: `Bearer ${token}` } });
  return { ask, bearer, around, outside, filter };
}
