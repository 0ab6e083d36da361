import type { ApiObject, Resource } from "@gatewright/kube";
import type { admissionregistration, meta } from "@gatewright/kube/api";
import type { Log, Span } from "@gatewright/telemetry";
import type { AdmissionOperation, AdmissionRequest } from "./admission/admission-request.ts";
import type { MutatingVerdict, Verdict } from "./admission/verdict.ts";
import type { HubConversion } from "./conversion/hub-conversion.ts";

/** What a handler has besides the request. */
export interface HandlerContext {
  /** Aborts shortly before the API server stops waiting. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly span: Span;
}

/** Which requests a webhook sees, and what happens when it cannot be asked. */
export interface AdmissionScope<T extends ApiObject> {
  readonly for: Resource<T>;
  /** A domain name of three labels or more that no other webhook has: `claims.example.com`. */
  readonly name: string;
  /** Default: made of the resource, as in `/validate-apps-v1-deployment`. */
  readonly path?: string;
  /** Default: CREATE and UPDATE. */
  readonly operations?: readonly AdmissionOperation[];
  /** `status`, `scale`; default: the object itself. What comes then may be of another kind. */
  readonly subresource?: string;
  /** When the webhook cannot be asked. Default: `Fail`, the request is refused. */
  readonly failurePolicy?: "Fail" | "Ignore";
  /** Default: `None`. `NoneOnDryRun`: the handler changes something elsewhere, unless the request is a dry run. */
  readonly sideEffects?: "None" | "NoneOnDryRun";
  /** How long the API server waits, 1 to 30. Default: 10. */
  readonly timeoutSeconds?: number;
  readonly matchPolicy?: "Equivalent" | "Exact";
  readonly namespaceSelector?: meta.LabelSelector;
  readonly objectSelector?: meta.LabelSelector;
  readonly matchConditions?: readonly admissionregistration.MatchCondition[];
}

export interface ValidatingDefinition<T extends ApiObject> extends AdmissionScope<T> {
  /** A StatusError that it throws is a refusal; anything else that it throws is a fault, told as 500. */
  handle(request: AdmissionRequest<T>, context: HandlerContext): Verdict | Promise<Verdict>;
}

export interface MutatingDefinition<T extends ApiObject> extends AdmissionScope<T> {
  /** Whether it is asked again when a later webhook changed the object. Default: `Never`. */
  readonly reinvocationPolicy?: "Never" | "IfNeeded";
  /** Must be happy with its own work: asked about what it answered, it changes nothing. Throws as validating ones do. */
  handle(request: AdmissionRequest<T>, context: HandlerContext): MutatingVerdict<T> | Promise<MutatingVerdict<T>>;
}

/** A webhook as data: what the server serves, and what configurations are generated from. */
export type Webhook =
  | (ValidatingDefinition<ApiObject> & { readonly type: "validating"; readonly path: string })
  | (MutatingDefinition<ApiObject> & { readonly type: "mutating"; readonly path: string })
  | { readonly type: "converting"; readonly path: string; readonly conversion: HubConversion };

export function validating<T extends ApiObject>(definition: ValidatingDefinition<T>): Webhook {
  const path = definition.path ?? `/validate-${pathOf(definition.for, definition.subresource)}`;
  return { ...(definition as unknown as ValidatingDefinition<ApiObject>), type: "validating", path };
}

export function mutating<T extends ApiObject>(definition: MutatingDefinition<T>): Webhook {
  const path = definition.path ?? `/mutate-${pathOf(definition.for, definition.subresource)}`;
  return { ...(definition as unknown as MutatingDefinition<ApiObject>), type: "mutating", path };
}

/** Converts the objects of a kind between its versions. `path`: default `/convert-<group>-<kind>`. */
export function converting(conversion: HubConversion, path?: string): Webhook {
  const { group, kind } = conversion.hub;
  return { type: "converting", conversion, path: path ?? `/convert-${dashed(group)}-${kind.toLowerCase()}` };
}

function pathOf({ group, version, kind }: Resource, subresource: string | undefined): string {
  const parts = [dashed(group), version, kind.toLowerCase(), ...(subresource === undefined ? [] : [subresource])];
  return parts.filter((part) => part !== "").join("-");
}

function dashed(group: string): string {
  return group.replaceAll(".", "-");
}
