import type { ServiceName } from "@gatewright/aws-wire";
import type { Caller } from "./caller.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export type InputOf<Operation> = Operation extends { readonly input: infer Input } ? Input : never;
export type OutputOf<Operation> = Operation extends { readonly output: infer Output } ? Output : never;

/** Operations of a service as functions: `DescribeTags` as `describeTags(input, { signal })`. */
export type ServiceCalls<Operations, Name extends keyof Operations & string> = {
  readonly [Each in Name as Uncapitalize<Each>]: (
    input: InputOf<Operations[Each]>,
    options?: CallOptions,
  ) => Promise<OutputOf<Operations[Each]>>;
};

/** The operations of a service that are used, by whether making them twice is the same as making them once. */
export interface OperationNames<Name extends string> {
  readonly repeatable: readonly Name[];
  readonly once: readonly Name[];
}

const NEVER = new AbortController().signal;

/** Functions for operations, typed by the table that was generated for the service. */
export function serviceCalls<Operations, Name extends keyof Operations & string>(
  call: Caller,
  service: ServiceName,
  names: OperationNames<Name>,
): ServiceCalls<Operations, Name> {
  const bind = (operation: Name, repeatable: boolean) =>
    [
      operation.charAt(0).toLowerCase() + operation.slice(1),
      (input: object, { signal = NEVER }: CallOptions = {}) => call({ service, operation, repeatable, input }, signal),
    ] as const;
  const entries = [...names.repeatable.map((name) => bind(name, true)), ...names.once.map((name) => bind(name, false))];
  // What the wire gives back is what the model says, and the types were made from the model.
  return Object.fromEntries(entries) as unknown as ServiceCalls<Operations, Name>;
}
