/** An HTTP request of a service's protocol. */
export interface WireRequest {
  readonly method: string;
  /** Path and query as they are on the wire, encoded. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** An HTTP answer of a service's protocol. */
export interface WireResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A request that names an operation, and what it is given. */
export interface DecodedCall {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Names in the query that the operation knows nothing of: it may be that another one was meant. Absent without any. */
  readonly unknownQuery?: readonly string[];
}

/** An error as the services tell it. */
export interface WireError {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  /** Whose fault it is. */
  readonly sender: boolean;
  /** What an error says besides: members of its shape, or for S3 elements of the error document. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What a protocol does on both ends of the wire. Decoding throws `MalformedError`. */
export interface ProtocolCodec<Model> {
  encodeRequest(model: Model, operation: string, input: object): WireRequest;
  /** Undefined when the request names no operation of the model. */
  decodeRequest(model: Model, request: WireRequest): DecodedCall | undefined;
  encodeResponse(model: Model, operation: string, output: object, requestId: string): WireResponse;
  decodeResponse(model: Model, operation: string, response: WireResponse): object;
  encodeError(model: Model, error: WireError, requestId: string): WireResponse;
  decodeError(model: Model, response: WireResponse): WireError;
}
