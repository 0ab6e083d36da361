import { s } from "@gatewright/kube/define";
import { conditions } from "./conditions.ts";
import { controllerName, hostname } from "./name-fields.ts";
import { parentReference, parentReferences } from "./parent-reference.ts";

/** What the specs of all routes have. */
export const routeFields = {
  parentRefs: parentReferences.optional(),
  hostnames: s
    .array(hostname("A hostname, which may begin with *."), {
      description: "Hostnames that the route is for. Default: those of the listeners.",
      maxItems: 16,
      listType: "atomic",
    })
    .optional(),
};

const parentStatus = s.object({
  parentRef: parentReference,
  controllerName: controllerName({ description: "Controller that said so." }),
  conditions: conditions({ minItems: 1 }),
});

/** The status of a route: what each controller has to say about each parent. */
export const routeStatus = s.object({
  parents: s.array(parentStatus, {
    description: "How the route fares at each of its parents.",
    maxItems: 32,
    listType: "atomic",
  }),
});
