import { s } from "@gatewright/kube/define";
import { GATEWAY_API_GROUP } from "./gateway-api-group.ts";
import { groupOr, kindOr, namespaceName, objectName, portNumber, sectionName } from "./name-fields.ts";
import { alike } from "./shared-rules.ts";

/** The object that a ListenerSet belongs to. */
export const gatewayReference = s.object(
  {
    group: groupOr(GATEWAY_API_GROUP),
    kind: kindOr("Gateway"),
    name: objectName,
    namespace: namespaceName.optional(),
  },
  { description: "The Gateway that the listeners are added to." },
);

/** What a route is attached to. */
export const parentReference = s.object(
  {
    group: groupOr(GATEWAY_API_GROUP),
    kind: kindOr("Gateway"),
    name: objectName,
    namespace: namespaceName.optional(),
    sectionName: sectionName("The one listener that is meant. Default: all.").optional(),
    port: portNumber("Only listeners on this port.").optional(),
  },
  { description: "What the route is attached to." },
);

const SAME_PARENT = ["a.group == b.group", "a.kind == b.kind", "a.name == b.name", alike("__namespace__")].join(" && ");

/** The parents of a route: one of them may be named several times, each time with another section. */
export const parentReferences = s.array(parentReference, {
  description: "What the route is attached to.",
  maxItems: 32,
  listType: "atomic",
  rules: [
    {
      rule: `self.all(a, self.all(b, !(${SAME_PARENT}) || has(a.sectionName) == has(b.sectionName)))`,
      message: "a parent that is named several times needs a sectionName each time",
    },
    {
      rule: `self.all(a, self.exists_one(b, ${SAME_PARENT} && ${alike("sectionName")}))`,
      message: "a parent is named twice with the same sectionName",
    },
  ],
});
