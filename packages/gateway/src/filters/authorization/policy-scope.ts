import { createRequire } from "node:module";
import type * as Re2 from "re2js";
import { isGrpcCall } from "../../pipeline/is-grpc-call.ts";
import type { PolicySpec } from "./authorization-spec.ts";
import type { Decision, Question } from "./question.ts";

const require = createRequire(import.meta.url);

/** What a policy is about, and what it says when it applies. */
export interface PolicyScope {
  readonly effect: Decision;
  covers(question: Question): boolean;
}

/**
 * Compiles a policy's resources and actions. Resources: `/exact`, `/prefix*`, `*` for whatever there is, within a pattern `*` for a part of
 * one segment and `**` for several, or `~` and a regular expression that has to be found somewhere. Actions are methods, whatever their
 * case; for gRPC calls the name of the method or POST. Undefined: a regular expression is none.
 */
export function policyScope(spec: PolicySpec): PolicyScope | undefined {
  const resources: ((path: string) => boolean)[] = [];
  for (const pattern of spec.resources ?? []) {
    const matches = resourcePattern(pattern);
    if (matches === undefined) return undefined;
    resources.push(matches);
  }
  const actions = new Set(spec.actions?.map((action) => action.toLowerCase()));
  const anyAction = actions.size === 0 || actions.has("*");
  return {
    effect: spec.effect === "deny" ? "deny" : "allow",
    covers({ resource, action, call }) {
      const coversAction =
        anyAction ||
        actions.has(action.toLowerCase()) ||
        (isGrpcCall(call) && actions.has(call.head.method.toLowerCase()));
      return coversAction && (resources.length === 0 || resources.some((matches) => matches(resource)));
    },
  };
}

/** Policies in the order in which they are asked: the higher priority first, and of equal ones those that deny. */
export function inOrder<T extends { readonly spec: PolicySpec }>(policies: readonly T[]): T[] {
  const denies = ({ spec }: T): number => (spec.effect === "deny" ? 0 : 1);
  return policies.toSorted((a, b) => (b.spec.priority ?? 0) - (a.spec.priority ?? 0) || denies(a) - denies(b));
}

function resourcePattern(pattern: string): ((path: string) => boolean) | undefined {
  if (pattern === "*") return () => true;
  if (pattern.startsWith("~")) return found(pattern.slice(1));
  const star = pattern.indexOf("*");
  if (star === -1) return (path) => path === pattern;
  if (star === pattern.length - 1) {
    const prefix = pattern.slice(0, -1);
    return (path) => path.startsWith(prefix);
  }
  const parts = globParts(pattern);
  return (path) => globMatches(parts, path);
}

function found(source: string): ((path: string) => boolean) | undefined {
  const { RE2JS } = require("re2js") as typeof Re2;
  try {
    const regex = RE2JS.compile(source);
    return (path) => regex.matcher(path).find();
  } catch {
    // The caller names the policy.
    return undefined;
  }
}

/** Text and stars by turns; a star at the end stands for everything that follows, as it does alone. */
function globParts(pattern: string): readonly string[] {
  const parts = pattern.split(/(\*+)/u).filter((part) => part !== "");
  return parts.map((part, index) =>
    part.startsWith("*") && (part.length > 1 || index === parts.length - 1) ? "**" : part,
  );
}

/**
 * Which places of the text can be reached after each part: never more work than text times parts, however many stars there are.
 */
function globMatches(parts: readonly string[], text: string): boolean {
  let reached = new Uint8Array(text.length + 1);
  reached[0] = 1;
  for (const part of parts) {
    const next = new Uint8Array(text.length + 1);
    if (part === "*" || part === "**") {
      let on = 0;
      for (let at = 0; at <= text.length; at++) {
        if (part === "*" && at > 0 && text[at - 1] === "/") on = 0;
        if (reached[at] === 1) on = 1;
        next[at] = on;
      }
    } else {
      for (let at = 0; at + part.length <= text.length; at++)
        if (reached[at] === 1 && text.startsWith(part, at)) next[at + part.length] = 1;
    }
    reached = next;
  }
  return reached[text.length] === 1;
}
