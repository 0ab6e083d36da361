import type { Case, Topic } from "../case.ts";
import { create, mergePatch } from "../steps.ts";
import { widgetCrd, widgetOf, widgetsOf } from "../widgets.ts";

const GROUP = "rules.example.com";
const widgets = widgetsOf(GROUP);
const widget = widgetOf(GROUP);
const text = { type: "string", maxLength: 64 };
const rules = (...all: readonly object[]): object => ({ "x-kubernetes-validations": all });

const schema = {
  type: "object",
  ...rules({ rule: "self.metadata.name != 'forbidden'", message: "this name is taken" }),
  properties: {
    spec: {
      type: "object",
      ...rules(
        { rule: "!has(self.min) || !has(self.max) || self.min <= self.max", message: "min is more than max" },
        { rule: "!has(self.min) || self.min != 13", messageExpression: "self.min == 13 ? 'unlucky' : 'lucky'" },
        {
          rule: "!has(self.name) || self.name != 'root'",
          reason: "FieldValueForbidden",
          fieldPath: ".name",
          message: "not root",
        },
        { rule: "has(oldSelf.name) == has(self.name)", message: "name comes and goes with the object" },
      ),
      properties: {
        min: { type: "integer" },
        max: { type: "integer" },
        name: text,
        fixed: { ...text, ...rules({ rule: "self == oldSelf", message: "fixed is immutable" }) },
        grow: {
          type: "integer",
          ...rules({
            rule: "!oldSelf.hasValue() || self >= oldSelf.value()",
            optionalOldSelf: true,
            message: "may only grow",
          }),
        },
        host: { ...text, ...rules({ rule: "self.matches('^[a-z.]+$')" }) },
        url: { ...text, ...rules({ rule: "isURL(self) && url(self).getScheme() == 'https'", message: "https only" }) },
        ip: { ...text, ...rules({ rule: "isIP(self) && ip(self).family() == 4", message: "IPv4 only" }) },
        quantity: {
          ...text,
          ...rules({
            rule: "isQuantity(self) && quantity(self).isGreaterThan(quantity('1Gi'))",
            message: "more than 1Gi",
          }),
        },
        list: {
          type: "array",
          maxItems: 10,
          items: { type: "integer" },
          ...rules(
            { rule: "self.all(x, x > 0)", message: "all above 0" },
            { rule: "self.isSorted()", message: "sorted" },
            { rule: "self.sum() < 100", message: "sum" },
          ),
        },
        named: {
          type: "array",
          maxItems: 10,
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: {
            type: "object",
            required: ["name"],
            properties: {
              name: text,
              value: { type: "integer", ...rules({ rule: "self == oldSelf", message: "value is immutable" }) },
            },
          },
          ...rules({ rule: "self.exists_one(x, x.name == 'main')", message: "one main" }),
        },
        table: {
          type: "object",
          maxProperties: 5,
          additionalProperties: text,
          ...rules({ rule: "self.all(k, k.startsWith('x'))", message: "keys start with x" }),
        },
        divide: { type: "integer", ...rules({ rule: "10 / self > 1", message: "too large" }) },
        time: {
          type: "string",
          format: "date-time",
          ...rules({ rule: "self > timestamp('2020-01-01T00:00:00Z')", message: "after 2020" }),
        },
        span: {
          type: "string",
          format: "duration",
          ...rules({ rule: "self >= duration('1m')", message: "a minute at least" }),
        },
        port: {
          "x-kubernetes-int-or-string": true,
          ...rules({ rule: "type(self) == int ? self > 0 : self != ''", message: "positive or named" }),
        },
        keyword: {
          type: "object",
          properties: { in: { type: "integer" }, "a-b": { type: "integer" } },
          ...rules(
            { rule: "!has(self.__in__) || self.__in__ > 0", message: "in" },
            { rule: "!has(self.a__dash__b) || self.a__dash__b > 0", message: "a-b" },
          ),
        },
      },
    },
  },
};

const specs: Readonly<Record<string, unknown>> = {
  "min and max": { min: 1, max: 2 },
  "min above max": { min: 3, max: 2 },
  "a message that is computed": { min: 13 },
  "a reason and a path": { name: "root" },
  "a regex that does not match": { host: "UP" },
  "a URL": { url: "https://example.com" },
  "a URL of another scheme": { url: "http://example.com" },
  "no URL": { url: "::" },
  "an address": { ip: "10.0.0.1" },
  "an address of the other family": { ip: "::1" },
  "a quantity": { quantity: "2Gi" },
  "a quantity that is too small": { quantity: "1M" },
  "a list": { list: [1, 2, 3] },
  "a list that breaks several rules": { list: [3, 0, 99] },
  "a named list": { named: [{ name: "main" }] },
  "a named list without main": { named: [{ name: "other" }] },
  "a map": { table: { xa: "1" } },
  "a map that breaks a rule": { table: { a: "1" } },
  "a division": { divide: 2 },
  "a division by zero": { divide: 0 },
  "a time": { time: "2026-01-01T00:00:00Z" },
  "an early time": { time: "2019-01-01T00:00:00Z" },
  "a duration": { span: "2m" },
  "a short duration": { span: "2s" },
  "a port as a number": { port: 0 },
  "a port as a name": { port: "" },
  "fields whose names are escaped": { keyword: { in: 0, "a-b": 0 } },
  "no rule is tried on what is not valid": { min: "x", host: "UP" },
};

const changed = (name: string, before: unknown, after: unknown): Case => ({
  name,
  steps: [create(widgets, widget("w", before), { quiet: true }), mergePatch(`${widgets}/w`, { spec: after })],
});

export const topic: Topic = {
  crds: [
    widgetCrd(GROUP, schema, { selectableFields: [], subresources: { status: {} }, additionalPrinterColumns: [] }),
  ],
  cases: [
    ...Object.entries(specs).map(([name, spec]): Case => ({ name, steps: [create(widgets, widget("w", spec))] })),
    { name: "a rule at the root", steps: [create(widgets, widget("forbidden"))] },
    changed("fixed stays", { fixed: "a" }, { min: 1 }),
    changed("fixed changes", { fixed: "a" }, { fixed: "b" }),
    changed("fixed comes", {}, { fixed: "b" }),
    changed("grows", { grow: 1 }, { grow: 2 }),
    changed("shrinks", { grow: 2 }, { grow: 1 }),
    changed("a name comes", {}, { name: "x" }),
    changed("a named item changes", { named: [{ name: "main", value: 1 }] }, { named: [{ name: "main", value: 2 }] }),
    changed(
      "a named item is added",
      { named: [{ name: "main", value: 1 }] },
      {
        named: [
          { name: "main", value: 1 },
          { name: "b", value: 2 },
        ],
      },
    ),
    changed("what was not changed may stay wrong", { min: 1 }, { max: 0 }),
  ],
};
