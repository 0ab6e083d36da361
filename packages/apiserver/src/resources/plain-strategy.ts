import type { Strategy } from "./resource.ts";

/** The strategy of a resource that takes whatever it is given. */
export const plainStrategy: Strategy = {
  tracksGeneration: false,
  allowsUnconditionalUpdate: true,
  allowsCreateOnUpdate: false,
  returnsDeletedObject: false,
  defaultPropagation: "Background",
  nameErrors: () => [],
  prepareForCreate: () => {},
  prepareForUpdate: () => {},
  validateCreate: () => [],
  validateUpdate: () => [],
  resetFields: [],
  fieldLabels: {},
};
