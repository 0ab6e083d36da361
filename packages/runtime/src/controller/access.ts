import type { ApiObject, Resource } from "@gatewright/kube";
import type { Access, ControllerDefinition, Verb } from "./definition.ts";

const READS: readonly Verb[] = ["get", "list", "watch"];

/** A controller called what it has not declared. Its generated access rules would refuse it too: a mistake in the definition. */
export class AccessNotDeclaredError extends Error {
  readonly controller: string;
  readonly verb: Verb;
  readonly resource: Resource;
  readonly subresource: string | undefined;

  constructor(controller: string, verb: Verb, resource: Resource, subresource?: string) {
    const path = subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`;
    const of = resource.group === "" ? path : `${path} of ${resource.group}`;
    const part = subresource === undefined ? "" : `, subresource: "${subresource}"`;
    super(
      `controller ${controller} does not declare that it may ${verb} ${of}; ` +
        `add { resource: ${resource.kind}, verbs: ["${verb}"]${part} } to its access`,
    );
    this.name = "AccessNotDeclaredError";
    this.controller = controller;
    this.verb = verb;
    this.resource = resource;
    this.subresource = subresource;
  }
}

/** Everything that a controller may do: what it declares, and reading the kinds that it is for, owns and watches. */
export function accessOf<T extends ApiObject>(definition: ControllerDefinition<T>): readonly Access[] {
  const watched = [definition.for, ...(definition.owns ?? []), ...(definition.watches ?? []).map((w) => w.resource)];
  return [...watched.map((resource): Access => ({ resource, verbs: READS })), ...(definition.access ?? [])];
}

/** Throws {@link AccessNotDeclaredError} unless the call is declared. */
export type AccessCheck = (verb: Verb, resource: Resource, subresource?: string) => void;

/** The check of a controller's calls. */
export function accessCheck<T extends ApiObject>(definition: ControllerDefinition<T>): AccessCheck {
  const allowed = new Set<string>();
  for (const { resource, verbs, subresource } of accessOf(definition)) {
    for (const verb of verbs) allowed.add(ruleName(verb, resource, subresource));
  }
  return (verb, resource, subresource) => {
    if (allowed.has(ruleName(verb, resource, subresource))) return;
    throw new AccessNotDeclaredError(definition.name, verb, resource, subresource);
  };
}

function ruleName(verb: Verb, { group, plural }: Resource, subresource = ""): string {
  return `${verb} ${group}/${plural}/${subresource}`;
}
