import type { Json, JsonObject } from "../json/json.ts";
import { DefinitionError } from "./definition-error.ts";
import { rulesJson } from "./rule.ts";
import type { Rule } from "./rule.ts";

/** What every schema can say. */
export interface Described {
  /** For users: shown by `kubectl explain` and in the reference. */
  readonly description?: string;
  readonly rules?: readonly Rule[];
}

/** The JSON of a schema: keywords in a fixed order, without those that say nothing. */
export function schemaJson(
  subject: string,
  options: Described,
  keywords: Readonly<Record<string, Json | undefined>>,
): JsonObject {
  const { description, rules = [] } = options;
  ordered(subject, keywords, "minLength", "maxLength");
  ordered(subject, keywords, "minimum", "maximum");
  ordered(subject, keywords, "minItems", "maxItems");
  ordered(subject, keywords, "minProperties", "maxProperties");
  const json: JsonObject = {};
  for (const [keyword, value] of Object.entries({ description, ...keywords })) {
    if (value !== undefined) json[keyword] = value;
  }
  if (rules.length > 0) json["x-kubernetes-validations"] = rulesJson(rules);
  return json;
}

function ordered(
  subject: string,
  keywords: Readonly<Record<string, Json | undefined>>,
  least: string,
  most: string,
): void {
  const [low, high] = [keywords[least], keywords[most]];
  if (typeof low === "number" && typeof high === "number" && low > high) {
    throw new DefinitionError(subject, [`${least} ${low} is above ${most} ${high}: no value could be valid`]);
  }
}
