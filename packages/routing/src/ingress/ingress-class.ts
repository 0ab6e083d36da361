import type { Immutable } from "@gatewright/kube";
import type { networking } from "@gatewright/kube/api";

/** What was there before the field, and counts still. */
export const CLASS_ANNOTATION = "kubernetes.io/ingress.class";

/** The class that an Ingress names: by the field, or else by the annotation. */
export function ingressClassOf({ spec, metadata }: Immutable<networking.Ingress>): string | undefined {
  return spec?.ingressClassName ?? metadata.annotations?.[CLASS_ANNOTATION];
}
