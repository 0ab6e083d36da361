import { deepClone } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import type { Draft, ServiceUse } from "../draft.ts";
import type { FeedSettings } from "../feed-settings.ts";
import type { Problem } from "../problem.ts";
import type { Surroundings } from "../surroundings.ts";
import { resolveHosts } from "./backend-hosts.ts";
import { resolveDestinations } from "./destinations.ts";
import { fillContents } from "./fill-contents.ts";
import { fromOlderFields } from "./older-fields.ts";
import { fillCertificate } from "./route-certificate.ts";
import type { Resolving } from "./resolving.ts";

/** A draft whose references are resolved. */
export interface Resolved {
  /** May hold secrets. */
  readonly spec: JsonObject;
  readonly problems: readonly Problem[];
  /** Services that it leads to. */
  readonly uses: readonly ServiceUse[];
  /** Whether something is not known yet, so that nothing can be said. */
  readonly waiting: boolean;
}

/** Resolves the references of a draft. Pure: what it depends on is what it asks of its surroundings. */
export function resolveDraft(
  draft: Draft,
  from: Resolving["from"],
  around: Surroundings,
  settings: FeedSettings,
): Resolved {
  const spec = deepClone(draft.spec);
  const { kind, namespace } = draft;
  const resolving: Resolving = { from, kind, namespace, around, settings, problems: [], uses: [], waiting: false };
  fromOlderFields(spec);
  const filled = fillContents(spec, namespace, around);
  if (kind.endsWith("Route")) {
    fillCertificate(spec, resolving);
    resolveDestinations(spec, resolving);
  } else resolveHosts(spec, resolving);
  return {
    spec,
    problems: [...filled.problems, ...resolving.problems],
    uses: resolving.uses,
    waiting: filled.waiting || resolving.waiting,
  };
}
