import type { Method, Outcome } from "./method.ts";
import { credentials } from "./method.ts";

/** A method that judges the bearer token of the Authorization field. */
export function bearerMethod(verify: (token: string) => Outcome | Promise<Outcome>): Method {
  return {
    challenge: (refused) => (refused ? 'Bearer realm="gateway", error="invalid_token"' : 'Bearer realm="gateway"'),
    judge(call) {
      const given = credentials(call, "bearer");
      return typeof given === "string" ? given : verify(given.text);
    },
  };
}
