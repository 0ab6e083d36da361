/**
 * How the backends of the table behave. All of them tell what they saw as JSON, in the body of their answer or in the message of a
 * call, unless it says otherwise here. Counts begin anew with every case.
 */
export type Behaviour = HttpBehaviour | GrpcBehaviour | { /** Nobody listens at its port. */ readonly does: "refuse" };

/** How a backend speaks TLS, as `backend.test`. */
export interface BackendTls {
  /** Callers must show a certificate of the table's authority. */
  readonly mutual?: true;
  /** TLS 1.3 is not known to it. */
  readonly old?: true;
}

/** Servers of HTTP/1.1. Questions for `/how-are-you` do not count. */
export type HttpBehaviour = { readonly tls?: BackendTls } &
  /** Tells what it saw, with these fields in its answer. Says how it is at `/how-are-you`: well, unless there is `health`. */
  (
    | {
        readonly does: "echo";
        readonly status?: number;
        readonly headers?: Readonly<Record<string, string>>;
        /** Says for the how-manieth question, from 0, whether it is well. Counted from the beginning of a case. */
        readonly health?: (question: number) => boolean;
      }
    /** Answers with the status so many times, and tells what it saw from then on. */
    | { readonly does: "fail-first"; readonly times: number; readonly status: number }
    /** Closes the connection so many times without an answer, and tells what it saw from then on. */
    | { readonly does: "reset-first"; readonly times: number }
    /** Tells what it saw after a while. */
    | { readonly does: "wait"; readonly milliseconds: number }
    /** Takes requests and never answers, so many times; then as echo. */
    | { readonly does: "hang-first"; readonly times: number }
    /** Answers with this. */
    | { readonly does: "say"; readonly body: string; readonly headers: Readonly<Record<string, string>> }
    /** Opens WebSockets: tells first what it saw, then repeats messages. Chooses the first of the protocols that it is offered. */
    | { readonly does: "web-socket" }
  );

/** Servers of gRPC. */
export type GrpcBehaviour = { readonly tls?: BackendTls } &
  /**
   * Tells what it saw, once, or three times to methods whose name begins with Stream. Of the services that it is asked about by the
   * health protocol these are not served.
   */
  (
    | { readonly does: "grpc-echo"; readonly sick?: readonly string[] }
    /** Never answers. */
    | { readonly does: "grpc-hang" }
    /** Answers with the status so many times, and as grpc-echo from then on. */
    | { readonly does: "grpc-fail-first"; readonly times: number; readonly status: number }
  );

/** A server that is asked so often before it is well. */
const WELL_AFTER = 20;

const JSON_TYPE = { "content-type": "application/json" };

export const BACKENDS: Readonly<Record<string, Behaviour>> = {
  "echo-a": { does: "echo" },
  "echo-b": { does: "echo" },
  "echo-c": { does: "echo" },
  teapot: { does: "echo", status: 418 },
  missing: { does: "echo", status: 404 },
  created: { does: "echo", status: 201, headers: { location: "/things/1" } },
  dressed: {
    does: "echo",
    headers: { "x-internal": "secret", "x-powered-by": "dressed", "x-frame-options": "ALLOWALL", vary: "Accept" },
  },
  open: { does: "echo", headers: { "access-control-allow-origin": "https://backend.test" } },
  "failing-once": { does: "fail-first", times: 1, status: 503 },
  "failing-twice": { does: "fail-first", times: 2, status: 503 },
  failing: { does: "fail-first", times: Infinity, status: 503 },
  broken: { does: "fail-first", times: Infinity, status: 500 },
  "bad-gateway-once": { does: "fail-first", times: 1, status: 502 },
  "internal-once": { does: "fail-first", times: 1, status: 500 },
  "conflict-once": { does: "fail-first", times: 1, status: 409 },
  "reset-once": { does: "reset-first", times: 1 },
  resetting: { does: "reset-first", times: Infinity },
  refusing: { does: "refuse" },
  slow: { does: "wait", milliseconds: 500 },
  hanging: { does: "hang-first", times: Infinity },
  "hanging-once": { does: "hang-first", times: 1 },
  users: {
    does: "say",
    body: '{"users":[{"id":2,"name":"bo","password":"y"},{"id":1,"name":"al","password":"x"}],"total":2}',
    headers: JSON_TYPE,
  },
  prices: { does: "say", body: '{"prices":{"eur":1},"total":7}', headers: JSON_TYPE },
  page: { does: "say", body: "all work and no play ".repeat(200), headers: { "content-type": "text/plain" } },
  sick: { does: "echo", health: () => false },
  recovering: { does: "echo", health: (question) => question >= WELL_AFTER },
  dizzy: { does: "echo", health: (question) => question % 3 !== 1 },
  "tls-a": { does: "echo", tls: {} },
  "tls-old": { does: "echo", tls: { old: true } },
  "tls-mutual": { does: "echo", tls: { mutual: true } },
  "web-socket": { does: "web-socket" },
  "web-socket-tls": { does: "web-socket", tls: {} },
  "grpc-tls": { does: "grpc-echo", tls: {} },
  "grpc-mutual": { does: "grpc-echo", tls: { mutual: true } },
  "grpc-sick": { does: "grpc-echo", sick: [""] },
  "grpc-half-sick": { does: "grpc-echo", sick: ["shop.Orders"] },
  "grpc-a": { does: "grpc-echo" },
  "grpc-b": { does: "grpc-echo" },
  "grpc-hanging": { does: "grpc-hang" },
  "grpc-failing-once": { does: "grpc-fail-first", times: 1, status: 14 },
  "grpc-failing": { does: "grpc-fail-first", times: Infinity, status: 14 },
  "grpc-not-found": { does: "grpc-fail-first", times: Infinity, status: 5 },
};
