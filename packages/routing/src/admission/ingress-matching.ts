import { CLASS_ANNOTATION } from "../ingress/ingress-class.ts";

/**
 * CEL that says whether an Ingress is of a class, so that no other one has to wait for us: by the field, or by the annotation that was
 * there before it. `isDefault`: those without a class, too.
 */
export function ingressMatching(className: string, isDefault: boolean): string {
  const annotated = `has(object.metadata.annotations) && '${CLASS_ANNOTATION}' in object.metadata.annotations`;
  const said = `has(object.spec.ingressClassName) ? object.spec.ingressClassName : (${annotated} ? object.metadata.annotations['${CLASS_ANNOTATION}'] : '')`;
  const ours = isDefault ? [className, ""] : [className];
  return `(${said}) in [${ours.map((name) => `'${name.replaceAll(/[\\']/g, String.raw`\$&`)}'`).join(", ")}]`;
}
