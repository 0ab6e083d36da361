import { Gateway, GatewayClass } from "@gatewright/resources";
import { done, generationChanged, setCondition, updateStatus, withFinalizer } from "@gatewright/runtime";
import type { ControllerDefinition } from "@gatewright/runtime";
import { Dependents } from "./cluster/dependents.ts";
import { gatewayClassIndexes, gatewayIndexes } from "./cluster/indexes.ts";
import { CONTROLLER_NAME, FINALIZERS } from "./controller-names.ts";

/** Accepts the classes that name this controller. A class cannot go while Gateways are of it. */
export function gatewayClasses(): ControllerDefinition<GatewayClass> {
  const dependents = new Dependents();
  return {
    name: "gateway-classes",
    for: GatewayClass,
    indexes: gatewayClassIndexes,
    watches: [dependents.watch(Gateway, { indexes: gatewayIndexes, when: generationChanged })],
    access: [
      { resource: GatewayClass, verbs: ["patch"] },
      { resource: GatewayClass, verbs: ["patch"], subresource: "status" },
    ],
    async reconcile(context) {
      const { key, object, ref, client, signal, clock, cached } = context;
      if (object?.spec.controllerName !== CONTROLLER_NAME) return done();
      const used = dependents.reads(key, cached).byIndex(Gateway, "class", ref.name).length > 0;
      if (object.metadata.deletionTimestamp !== undefined && used) return done();
      return withFinalizer(context, {
        resource: GatewayClass,
        finalizer: FINALIZERS.gatewayClass,
        async reconcile(held) {
          const conditions = setCondition(
            held.status?.conditions,
            {
              type: "Accepted",
              status: "True",
              reason: "Accepted",
              message: "Accepted",
              observedGeneration: held.metadata.generation ?? 0,
            },
            clock.now(),
          );
          await updateStatus(client, GatewayClass, held, { ...held.status, conditions }, { signal });
          return done();
        },
        cleanup: async () => done(),
      });
    },
  };
}
