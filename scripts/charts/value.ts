import type { Json } from "@gatewright/kube";

/** One value of a chart that is set as a whole. */
export interface Leaf {
  readonly about: string;
  readonly initial: Json;
  /** As JSON Schema has it. */
  readonly schema: { readonly [keyword: string]: Json };
}

/** Values that belong together. */
export interface Group {
  readonly about?: string;
  readonly values: Values;
}

/** The values of a chart, once: its values.yaml, their schema and the table in its README are made from this. */
export interface Values {
  readonly [name: string]: Leaf | Group;
}

type Keywords = Leaf["schema"];

const STRINGS = { type: "array", items: { type: "string" } } as const;

export const group = (values: Values, about?: string): Group => ({ ...(about !== undefined && { about }), values });

export const text = (initial: string, about: string, keywords: Keywords = {}): Leaf => ({
  about,
  initial,
  schema: { type: "string", ...keywords },
});

export const flag = (initial: boolean, about: string): Leaf => ({ about, initial, schema: { type: "boolean" } });

export const whole = (initial: number, about: string, [least, most]: readonly [number, number]): Leaf => ({
  about,
  initial,
  schema: { type: "integer", minimum: least, maximum: most },
});

export const port = (initial: number, about: string): Leaf => whole(initial, about, [1, 65_535]);

export const choice = (initial: string, among: readonly string[], about: string): Leaf => ({
  about: `${about}: ${among.map((each) => `\`${each}\``).join(", ")}`,
  initial,
  schema: { enum: [...among] },
});

export const strings = (about: string, items: Keywords = {}, initial: readonly string[] = []): Leaf => ({
  about,
  initial: [...initial],
  schema: { ...STRINGS, items: { ...STRINGS.items, ...items } },
});

/** A list of objects of Kubernetes, which the API server checks. */
export const objects = (about: string, initial: readonly Json[] = []): Leaf => ({
  about,
  initial: [...initial],
  schema: { type: "array", items: { type: "object" } },
});

/** An object of Kubernetes, which the API server checks. */
export const object = (about: string, initial: { readonly [name: string]: Json } = {}): Leaf => ({
  about,
  initial,
  schema: { type: "object" },
});

/** Labels, annotations: texts by name. */
export const texts = (about: string, initial: { readonly [name: string]: string } = {}): Leaf => ({
  about,
  initial,
  schema: { type: "object", additionalProperties: { type: "string" } },
});

/** Texts, numbers and truths by name. */
export const plain = (about: string): Leaf => ({
  about,
  initial: {},
  schema: { type: "object", additionalProperties: { type: ["string", "number", "boolean"] } },
});

export const isGroup = (value: Leaf | Group): value is Group => "values" in value;
