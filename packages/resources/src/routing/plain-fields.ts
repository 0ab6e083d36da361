import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";

/** The switch of a block: what the block says holds only when it is true. */
export const enabled = (description: string) => s.boolean({ description, default: false });

/** A yes or no that may be left out. */
export const flag = (description: string) => s.boolean({ description }).optional();

/** A text that may be left out. */
export const text = (description: string) => s.string({ description }).optional();

/** A text that must be written. */
export const requiredText = (description: string) => s.string({ description, minLength: 1 });

/** A list of texts that may be left out. */
export const texts = (description: string) => s.array(s.string(), { description }).optional();

/** Texts under names that users choose. */
export const textMap = (description: string) => s.map(s.string(), { description }).optional();

/** A duration that may be left out. */
export const duration = (description: string) => s.duration({ description }).optional();

/** A whole number that may be left out. */
export const count = (description: string, minimum: number) => s.integer({ description, minimum }).optional();

/** A share of requests, in percent. */
export const percentage = (description: string) => s.integer({ description, minimum: 0, maximum: 100, default: 100 });

/** A TCP port. */
export const port = (description: string) => s.integer({ description, minimum: 1, maximum: 65_535 });

/** CEL: a list field that is there and not empty. */
export const filled = (field: string): string => `(has(${field}) && size(${field}) > 0)`;

/** CEL: a switch, or a block's switch, that is there and on. */
export const isOn = (field: string): string => `(has(${field}) && ${field})`;

/** Rules for durations of a block that are above zero where they are written. `unless`, in CEL: when they do not matter. */
export const aboveZero = (fields: readonly string[], ...unless: readonly string[]): Rule[] =>
  fields.map((field) => ({
    rule: [...unless, `!has(self.${field})`, `self.${field} > duration('0s')`].join(" || "),
    message: `${field} is above 0s`,
    fieldPath: `.${field}`,
  }));
