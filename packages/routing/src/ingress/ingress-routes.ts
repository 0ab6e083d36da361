import type { Immutable } from "@gatewright/kube";
import type { networking } from "@gatewright/kube/api";
import { problemText } from "../feed/problem.ts";
import { convertIngress } from "./convert-ingress.ts";
import type { IngressContext } from "./convert-ingress.ts";
import { ingressClassOf } from "./ingress-class.ts";
import type { Draft } from "./ingress-draft.ts";
import { DEFAULT_INGRESS_CLASS, isOurs } from "./ingress-source.ts";
import type { IngressClassSettings } from "./ingress-source.ts";
import { readAnnotations } from "./read-annotations.ts";

export { DEFAULT_INGRESS_CLASS, ingressClassOf };
export type { IngressClassSettings };

/** The routes that an Ingress stands for, for who asks what becomes of a request. None when it is not ours, or is wrong. */
export function ingressRoutes(
  ingress: Immutable<networking.Ingress>,
  settings: IngressClassSettings,
  context: IngressContext,
): readonly Draft[] {
  if (!isOurs(ingress, settings)) return [];
  return convertIngress(ingress, context).drafts.filter(({ kind }) => kind.endsWith("Route"));
}

/** What is wrong with the annotations of an Ingress now, as events tell it. */
export function annotationProblems({ metadata }: Immutable<networking.Ingress>): ReadonlySet<string> {
  const texts = new Set<string>();
  readAnnotations(metadata.annotations ?? {}, (problem) => void texts.add(problemText(problem)));
  return texts;
}
