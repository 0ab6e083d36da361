import type { ServiceName, WireRequest } from "@gatewright/aws-wire";

/** Who calls, as the signature of the request proved. */
export interface Caller {
  readonly account: string;
  /** `arn:aws:iam::000000000000:root`, `arn:aws:sts::…:assumed-role/…`. */
  readonly arn: string;
  readonly userId: string;
  readonly accessKeyId: string;
}

/** What an operation knows of the request besides its input. */
export interface CallContext {
  readonly caller: Caller;
  /** The account that is acted on: the caller's. */
  readonly account: string;
  /** From the scope of the signature. Services that are global take no notice. */
  readonly region: string;
  readonly requestId: string;
  /** Aborts when the client went away; what was done stays done. */
  readonly signal: AbortSignal;
}

/** The operations of a service, by name; each takes what the wire said and gives what it shall say. Refusals are `AwsError`s. */
export type Handlers<Operations> = {
  readonly [Name in keyof Operations]?: (
    input: Operations[Name] extends { readonly input: infer Input } ? Input : never,
    context: CallContext,
  ) => Promise<Output<Operations[Name]>> | Output<Operations[Name]>;
};

type Output<Operation> = Operation extends { readonly output: infer Result } ? Result : never;

/** One operation, as the wire calls it. */
export type Handler = (input: object, context: CallContext) => Promise<object> | object;

/** What pages of other origins may do with a service. Asked about requests whose signature nobody looked at yet. */
export interface CrossOrigin {
  /** Headers of the answer to a browser that asks before it sends the request proper. Throws an `AwsError` when it may not. */
  preflight(request: WireRequest): Readonly<Record<string, string>>;
  /** Headers that let the page read the answer; none when it may not. */
  headersFor(request: WireRequest): Readonly<Record<string, string>>;
}

/** A service that can be called. Operations of the model that it does not have are refused as not implemented. */
export interface Service {
  readonly name: ServiceName;
  readonly operations: ReadonlyMap<string, Handler>;
  /** Absent: browsers keep its answers from pages of other origins. */
  readonly crossOrigin?: CrossOrigin;
}

/** A service from its handlers. `Operations` is the generated table of its types. */
export function service<Operations>(name: ServiceName, handlers: Handlers<Operations>): Service {
  // The wire gives each handler what its own model says, which is what its types say.
  return { name, operations: new Map(Object.entries(handlers)) as unknown as Service["operations"] };
}
