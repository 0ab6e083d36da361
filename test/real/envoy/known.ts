/** A case of the routing table that Envoy answers otherwise than our gateway. */
export interface KnownDifference {
  /** Why, and that it is meant. */
  readonly reason: string;
  /** What is said of an object about it; undefined: it is not the object's business. */
  readonly field?: string;
  /** It depends on time: sometimes both answer alike. */
  readonly sometimes?: true;
}

const differs = (reason: string, field?: string): KnownDifference => ({
  reason,
  ...(field !== undefined && { field: `spec.${field}` }),
});

const HASHES = "Envoy knows passwords and keys in other forms only: the route is closed";
const OPERATIONS = "Envoy does not read GraphQL: the route is closed";
const BODIES = "Envoy does not change bodies";
const CIRCUIT = "Envoy leaves hosts out a moment after their last failure";
const HOSTS = "hosts count as not well until Envoy has asked them";

/** All of them, by the name of the case. A case that is listed and agrees fails the suite. */
export const KNOWN: ReadonlyMap<string, KnownDifference> = new Map([
  ["a redirect to https leaves the usual port out", differs("a port that the client names stays", "redirect.scheme")],
  ["a backend's own limit is for all routes that lead to it", differs("limits are of routes: closed", "rateLimit")],
  [
    "an open circuit answers 503 without asking the backend",
    { ...differs(CIRCUIT, "circuitBreaker"), sometimes: true },
  ],
  ["an open circuit of one backend leaves others alone", { ...differs(CIRCUIT, "circuitBreaker"), sometimes: true }],
  ["a delay counts towards the timeout of the route", differs("the delay comes before the timeout", "fault.delay")],
  ["a limit comes before authentication", differs(HASHES, "authentication.basic")],
  [
    "more requests at the same time than sessions are answered with 503",
    differs("requests at the same time are counted for backends: closed", "maxSessions"),
  ],
  [
    "requests wait for a session where there is a queue",
    differs("requests at the same time are counted for backends: closed", "maxSessions"),
  ],
  [
    "headers that are larger than the route takes are answered with 431",
    differs("the size of headers is the listener's: closed", "requestLimits.maxHeaderSize"),
  ],
  ["a preflight is answered before anybody has to say who they are", differs(HASHES, "authentication.basic")],
  [
    "issuer and audience of a token have to be those of the route",
    differs("another audience is answered with 403", "authentication.jwt.audience"),
  ],
  ["names and passwords are taken, and do not reach the backend", differs(HASHES, "authentication.basic")],
  ["keys are taken from their header", differs(HASHES, "authentication.apiKey")],
  ["keys are taken from their query parameter", differs(HASHES, "authentication.apiKey")],
  ["any of the enabled ways is enough", differs("only tokens are taken", "authentication.basic")],
  ["expressions decide by action and resource", differs("expressions are not read: closed", "authorization.abac")],
  ["expressions can ask for a role", differs("expressions are not read: closed", "authorization.abac")],
  ["roles of users with passwords and of keys count like any others", differs(HASHES, "authentication.basic")],
  ["operations of GraphQL are told apart by their type", differs(OPERATIONS, "match[0].operationType")],
  ["operations of GraphQL are told apart by their name", differs(OPERATIONS, "match[0].operationName")],
  [
    "the body of a request whose operation was read reaches the backend whole",
    differs(OPERATIONS, "match[0].operationType"),
  ],
  ["queries that go too deep are refused", differs(OPERATIONS, "depthLimit")],
  ["operations that are not allowed are refused", differs(OPERATIONS, "allowedOperations")],
  ["queries that ask for too much are refused", differs(OPERATIONS, "complexityLimit")],
  ["clients may not ask for the schema where that is not allowed", differs(OPERATIONS, "introspectionEnabled")],
  ["requests whose body is not as the API describes are refused", differs(BODIES, "openAPIValidation")],
  ["what is kept can be told apart by headers", differs("Envoy keeps no answers", "cache")],
  ["an answer that is kept is given again without asking the backend", differs("Envoy keeps no answers", "cache")],
  ["fields of answers are left out and renamed", differs(BODIES, "transform.response")],
  ["lists in answers are sorted and cut", differs(BODIES, "transform.response")],
  ["fields of requests are set and removed", differs(BODIES, "transform.request.injectFields")],
  ["the answers of many become one", differs("Envoy asks one backend: closed", "aggregate")],
  ["one of many that fails fails them all, unless any is enough", differs("Envoy asks one: closed", "aggregate")],
  [
    "a route for one name takes no requests of connections that were made for another",
    differs("403 in place of 421", "tls.sniHosts"),
  ],
  [
    "a certificate of a stranger is none, whatever name is in it",
    differs("such a connection is not made", "tls.clientValidation"),
  ],
  [
    "a route takes the common names that it allows",
    differs("Envoy tells certificates apart by further names: closed", "tls.clientValidation.allowedCNs"),
  ],
  [
    "a certificate need not be shown where the route only checks those that are",
    differs("a connection with a stranger's certificate is not made", "tls.clientValidation"),
  ],
  ["clients are authenticated by their certificate", differs("closed", "authentication.mtls")],
  ["hosts that are well share the requests", { ...differs(HOSTS, "healthCheck"), sometimes: true }],
  [
    "a single bad answer takes nobody out where more are asked for",
    { ...differs(HOSTS, "healthCheck"), sometimes: true },
  ],
  ["a check that only connects asks nothing", { ...differs(HOSTS, "healthCheck"), sometimes: true }],
  [
    "servers of gRPC that serve as a whole are well whatever becomes of one service",
    { ...differs(HOSTS, "healthCheck"), sometimes: true },
  ],
  ["cookies of clients with TLS are for TLS alone", differs("cookies have no such mark", "loadBalancer.sticky")],
  [
    "a backend that opens no WebSocket answers the client itself",
    differs("Envoy ends the body of such an answer with its head"),
  ],
  ["a WebSocket is opened for those alone who may", differs(HASHES, "authentication.basic")],
]);
