import type { ApiObject } from "@gatewright/kube";
import { isMissing } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { CONTENT_RESOURCES, contentsOf } from "../feed/fetched-contents.ts";
import type { Contents, ContentKind, Surroundings } from "../feed/surroundings.ts";
import { dependencyOn } from "../feed/surroundings.ts";

/**
 * Does something with surroundings in which all content is known that it asks for. What the feed does not have at hand is read for this
 * once and kept by nobody; what cannot be read stays unknown.
 */
export async function withContents<T>(
  around: Surroundings,
  client: Client,
  signal: AbortSignal,
  look: (around: Surroundings) => T,
): Promise<T> {
  const wanted = new Map<string, { readonly kind: ContentKind; readonly namespace: string; readonly name: string }>();
  const read = new Map<string, Contents | "missing">();
  const looking: Surroundings = {
    ...around,
    contents(kind, namespace, name) {
      const key = dependencyOn(kind, namespace, name);
      const known = read.get(key) ?? around.contents(kind, namespace, name);
      if (known === "unknown") wanted.set(key, { kind, namespace, name });
      return known;
    },
  };
  const first = look(looking);
  if (wanted.size === 0) return first;
  const reading = [...wanted].map(async ([key, { kind, namespace, name }]) => {
    const ref = { namespace, name };
    try {
      read.set(key, contentsOf(await client.for<ApiObject>(CONTENT_RESOURCES[kind]).get(ref, { signal })));
    } catch (error) {
      // What cannot be read now says nothing against the object: the feed finds out.
      if (isMissing(error, CONTENT_RESOURCES[kind], ref)) read.set(key, "missing");
    }
  });
  await Promise.all(reading);
  return look(looking);
}
