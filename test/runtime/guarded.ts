import type { ApiObject, ObjectKey } from "@gatewright/kube";
import type { ControllerDefinition } from "@gatewright/runtime";

/** What was seen of a controller's runs. */
export interface Runs {
  total: number;
  /** Keys that ran twice at once: must stay empty. */
  readonly overlapping: Set<ObjectKey>;
}

/** The same controller, watched: no key may run twice at once. */
export function guarded<T extends ApiObject>(definition: ControllerDefinition<T>, runs: Runs): ControllerDefinition<T> {
  const running = new Set<ObjectKey>();
  return {
    ...definition,
    async reconcile(context) {
      if (running.has(context.key)) runs.overlapping.add(context.key);
      running.add(context.key);
      runs.total++;
      try {
        return await definition.reconcile(context);
      } finally {
        running.delete(context.key);
      }
    },
  };
}
