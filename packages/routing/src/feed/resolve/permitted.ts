import type { Surroundings } from "../surroundings.ts";

/** A reference from an object of one namespace to something in another. */
export interface Crossing {
  readonly from: { readonly group: string; readonly kind: string; readonly namespace: string };
  readonly to: { readonly group: string; readonly kind: string; readonly namespace: string; readonly name: string };
}

/** Whether a ReferenceGrant of the other namespace allows it. Undefined: nobody knows yet. */
export function permitted({ from, to }: Crossing, around: Pick<Surroundings, "grants">): boolean | undefined {
  const grants = around.grants(to.namespace);
  return grants?.some(
    ({ spec }) =>
      spec.from.some(
        ({ group, kind, namespace }) => group === from.group && kind === from.kind && namespace === from.namespace,
      ) &&
      spec.to.some(
        ({ group, kind, name }) =>
          group === to.group && kind === to.kind && (name === undefined || name === "" || name === to.name),
      ),
  );
}
