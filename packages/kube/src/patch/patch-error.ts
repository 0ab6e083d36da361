import { StatusError } from "../status.ts";

/** 422 for a patch that is well formed and cannot be applied. The client is not told which part; `why` is for the log. */
export function patchRejected(why: string): StatusError {
  return new StatusError({
    code: 422,
    reason: "Invalid",
    message: "the server rejected our request due to an error in our request",
    details: {},
    cause: why,
  });
}

/** 500 without a reason: what kube-apiserver answers where it has no better word for a bad patch. */
export function patchFailed(message: string): StatusError {
  return new StatusError({ code: 500, message });
}
