import { s } from "@gatewright/kube/define";

const requirement = s.object({
  key: s.string({ description: "Label that the requirement is about." }),
  operator: s.string({ description: "In, NotIn, Exists or DoesNotExist." }),
  values: s.array(s.string(), { description: "Values for In and NotIn.", listType: "atomic" }).optional(),
});

/** A label selector as wide as upstream has it: whether its operators exist is for controllers to find out. */
export const labelSelector = (description: string) =>
  s.object(
    {
      matchLabels: s.map(s.string(), { description: "Labels that must be there with these values." }).optional(),
      matchExpressions: s.array(requirement, { description: "Further requirements.", listType: "atomic" }).optional(),
    },
    { description, mapType: "atomic" },
  );
