import { createHash } from "node:crypto";
import type { Call } from "../../pipeline/call.ts";
import type { Around } from "../around.ts";
import { asText, callSource } from "../transform/call-source.ts";
import type { CallSource } from "../transform/call-source.ts";
import { queryPairs } from "../../exchange/query-value.ts";
import { compileTemplate } from "../transform/template/template.ts";
import { TemplateSyntaxError } from "../transform/template/template-parser.ts";
import type { CacheSpec } from "./cache-spec.ts";

/** What makes two requests the same. */
export interface CacheKey {
  of(call: Call, bodyHash: string): string;
  readonly withBody: boolean;
  /** Different users have different keys, so that answers to requests with credentials may be kept. */
  readonly personal: boolean;
}

/**
 * Fields that backends and frameworks believe about where a request came from and what it wants. They are part of every key: an answer
 * that one of them changed must not be given to requests without it.
 */
const BELIEVED: ReadonlySet<string> = new Set([
  "forwarded",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "x-forwarded-prefix",
  "x-forwarded-scheme",
  "x-forwarded-server",
  "x-forwarded-ssl",
  "x-forwarded-path",
  "x-host",
  "x-http-host-override",
  "x-http-method",
  "x-http-method-override",
  "x-method-override",
  "x-original-host",
  "x-original-url",
  "x-rewrite-url",
  "x-original-uri",
  "front-end-https",
]);

/** Sources that tell users apart. */
const PERSONAL = /^(?:headers?\.(?:authorization|cookie|x-api-key)|claims?\.|jwt\.|identity\.subject$|cookie\.)/i;
const LONG = 256;

type Part = (call: Call, bodyHash: string) => string;

/** Compiles what a route says about its keys. What makes no sense is noted as an error. */
export function cacheKey(spec: CacheSpec, around: Pick<Around, "note">): CacheKey {
  const { parts, names } = chosenParts(spec, around);
  const personal = names.some((name) => PERSONAL.test(name));
  return {
    withBody: names.includes("body"),
    personal,
    of(call, bodyHash) {
      const key = parts.map((part) => part(call, bodyHash));
      for (const [name, value] of call.head.fields) if (BELIEVED.has(name)) key.push(`${name}:${value}`);
      if (personal) key.push(...whoAsks(call));
      const text = JSON.stringify(key);
      return text.length <= LONG ? text : createHash("sha256").update(text).digest("base64");
    },
  };
}

/**
 * Whom an answer may be for, as part of each key that is to tell users apart: the fields that it names may be gone, since
 * authentication takes out what it has checked, or may be absent where other credentials are there.
 */
function whoAsks({ identity, head: { fields } }: Call): readonly string[] {
  if (identity !== undefined && identity.method !== "anonymous")
    return [identity.method, identity.subject, JSON.stringify(identity.claims.get("iss")) ?? ""];
  return [...fields.all("authorization"), "", ...fields.all("cookie")];
}

interface Chosen {
  readonly parts: readonly Part[];
  /** The sources that the parts are made of, and `body`. */
  readonly names: readonly string[];
}

function chosenParts(spec: CacheSpec, around: Pick<Around, "note">): Chosen {
  const { keyConfig, keyComponents } = spec;
  if (keyConfig?.keyTemplate !== undefined && keyConfig.keyTemplate !== "")
    return templateParts(keyConfig.keyTemplate, keyConfig.includeBodyHash === true, around);
  if (keyConfig === undefined && keyComponents !== undefined && keyComponents.length > 0)
    return componentParts(keyComponents, around);
  const names = (keyConfig?.includeHeaders ?? []).map((name) => `header.${name}`);
  const parts: Part[] = [({ head }) => `${head.scheme}://${head.authority}`, ...names.map((name) => sourcePart(name))];
  if (keyConfig?.includePath !== false) parts.push(({ path }) => path);
  else
    around.note({
      field: "spec.cache.keyConfig.includePath",
      message: "all paths of this route share their answers",
      severity: "warning",
    });
  parts.push(queryPart(keyConfig?.includeQueryParams));
  if (keyConfig?.includeBodyHash !== true) return { parts, names };
  parts.push((_call, hash) => hash);
  return { parts, names: [...names, "body"] };
}

function templateParts(text: string, withBody: boolean, around: Pick<Around, "note">): Chosen {
  const names = [...text.matchAll(/\.([A-Za-z0-9_.-]+)/g)].map(([, name = ""]) => name);
  const parts: Part[] = withBody ? [(_call, hash) => hash] : [];
  try {
    const template = compileTemplate(text, "text");
    parts.push((call) => template.render(call, undefined));
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    around.note({ field: "spec.cache.keyConfig.keyTemplate", message: error.message, severity: "error" });
  }
  return { parts, names: withBody ? [...names, "body"] : names };
}

function componentParts(components: readonly string[], around: Pick<Around, "note">): Chosen {
  const parts: Part[] = [({ head }) => `${head.scheme}://${head.authority}`];
  const names = components.map((name) => name.replace(":", "."));
  for (const name of names) {
    if (name === "body") parts.push((_call, hash) => hash);
    else if (name === "query") parts.push(queryPart(undefined));
    else if (callSource(name) !== undefined) parts.push(sourcePart(name));
    else
      around.note({
        field: "spec.cache.keyComponents",
        message: `${JSON.stringify(name)} is nothing that a key can be made of`,
        severity: "error",
      });
  }
  return { parts, names };
}

function sourcePart(name: string): Part {
  // HEAD is answered from what GET got, and other methods never are: the method makes no difference.
  if (name === "method" || name === "request.method") return () => "GET";
  const field = /^headers?\.(.+)$/.exec(name)?.[1]?.toLowerCase();
  if (field !== undefined) return ({ head }) => head.fields.all(field).join("\n");
  const source: CallSource | undefined = callSource(name);
  return (call) => {
    const value = source?.(call);
    return value === undefined ? "" : `=${asText(value)}`;
  };
}

function queryPart(names: readonly string[] | undefined): Part {
  if (names === undefined || names.includes("*")) return ({ query }) => `?${query}`;
  const counted = new Set(names);
  return ({ query }) => JSON.stringify(queryPairs(query).filter(([name]) => counted.has(name)));
}
