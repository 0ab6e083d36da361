import type { Patch } from "./client.ts";

/** What a patch sends, and as what. */
export function patchBody(patch: Patch): { readonly contentType: string; readonly body: unknown } {
  if ("merge" in patch) return { contentType: "application/merge-patch+json", body: patch.merge };
  if ("strategic" in patch) return { contentType: "application/strategic-merge-patch+json", body: patch.strategic };
  return { contentType: "application/json-patch+json", body: patch.json };
}

/** JSON is YAML, and quicker to read. */
export const APPLY_CONTENT_TYPE = "application/apply-patch+yaml";
