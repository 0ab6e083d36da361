import { setOwn } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import type { UserInfo } from "../user.ts";

/** A user as reviews show one; what is empty is left out. */
export function userJson({ username, uid, groups, extra }: UserInfo): JsonObject {
  const shownExtra: JsonObject = {};
  for (const [key, values] of Object.entries(extra ?? {})) setOwn(shownExtra, key, [...values]);
  return {
    ...(username !== "" && { username }),
    ...(uid && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(Object.keys(shownExtra).length > 0 && { extra: shownExtra }),
  };
}
