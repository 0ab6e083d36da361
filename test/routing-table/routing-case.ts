import type { CertificateName } from "./certificates.ts";

/** An object as it is written in a manifest. Addresses in it are names of the table's backends, files those of its certificates. */
export interface Manifest {
  readonly apiVersion: "avapigw.io/v1alpha1";
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly creationTimestamp?: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** A connection with TLS 1.2 or above, to a gateway whose certificate is verified. */
export interface CaseTls {
  /** The name that the client asks for. Default: the host of the request. */
  readonly serverName?: string;
  /** Whose certificate the client shows. Default: none. */
  readonly certificate?: CertificateName;
}

/** A request of a case, over HTTP/1.1 or, with `grpc`, a call of gRPC over HTTP/2; without TLS unless there is `tls`. */
export interface CaseRequest {
  readonly method: string;
  /** As in the Host field. */
  readonly host: string;
  /** Path and query, sent as they are; of a call `/service/method`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly grpc: boolean;
  readonly tls?: CaseTls;
  /** Asks for a WebSocket by HTTP/1.1, sends these messages on it, and closes it when there are as many answers and one. */
  readonly webSocket?: readonly string[];
  /** The client keeps the cookies that it was given in the case, and sends them. */
  readonly cookies?: true;
}

/** What came back. */
export interface CaseAnswer {
  /** 101 for a WebSocket that was opened. */
  readonly status: number;
  /** By lower-case name; several values with `, ` between them. Trailers of calls are among them. */
  readonly headers: ReadonlyMap<string, string>;
  /** Of a call and of a WebSocket: its messages, a line each. */
  readonly body: string;
  /** Common name of the certificate that the gateway showed. */
  readonly certificate?: string;
}

/** What a backend says that it saw: the body of its answer. */
export interface Seen {
  readonly backend: string;
  readonly method: string;
  readonly target: string;
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Common name of the certificate that the gateway showed; empty without. */
  readonly caller: string;
}

/** What an answer has to be. What is not said does not matter. */
export interface Expected {
  /** One of them, where implementations differ for good reasons. */
  readonly status?: number | readonly number[];
  /** Of calls; the HTTP status is 200 then. */
  readonly grpcStatus?: number | readonly number[];
  /** Null: must not be there. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>;
  readonly body?: string | RegExp;
  readonly json?: unknown;
  /** Common name of the certificate that the gateway showed. */
  readonly certificate?: string;
  /** Which backend answered, and what it saw. */
  readonly backend?: string;
  readonly seen?: {
    readonly method?: string;
    readonly target?: string;
    readonly host?: string;
    readonly headers?: Readonly<Record<string, string | RegExp | null>>;
    readonly body?: string;
    readonly caller?: string;
  };
}

export interface CaseStep {
  readonly request: CaseRequest;
  readonly expect: Expected;
  /** It is so after a while, as with health checks: asked until it is. */
  readonly settles?: true;
}

/** Objects, and what requests then get. */
export interface RoutingCase {
  /** A sentence. */
  readonly name: string;
  /** Says nothing about HTTP/2. */
  readonly onlyHttp1?: true;
  readonly objects: readonly Manifest[];
  /** One after the other. */
  readonly steps?: readonly CaseStep[];
  /** Many alike: how many of them each backend answers, at least and at most. */
  readonly spread?: {
    readonly request: CaseRequest;
    readonly times: number;
    readonly shares: Readonly<Record<string, readonly [least: number, most: number]>>;
    /** It is so after a while: asked until it is. */
    readonly settles?: true;
  };
  /** Many alike: one backend answers all of them, whichever it is. */
  readonly oneBackend?: { readonly request: CaseRequest; readonly times: number };
  /** At the same time: how many answers have which status. */
  readonly together?: {
    readonly request: CaseRequest;
    readonly times: number;
    readonly statuses: Readonly<Record<number, number>>;
  };
  /**
   * Only when all of it takes less than so many milliseconds does the case say anything, as with limits per second: one that took
   * longer and is different is run again.
   */
  readonly within?: number;
  /** How often backends were asked in the end. */
  readonly asked?: Readonly<Record<string, number>>;
}
