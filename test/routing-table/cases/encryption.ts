import { apiRoute, backend, call, callStep, grpcBackend, grpcRoute, prefix, request, step, to } from "../manifests.ts";
import type { Expected, RoutingCase } from "../routing-case.ts";

/** A backend that cannot be spoken with. */
const NOT_REACHED: Expected = { status: [502, 503] };
const CALL_NOT_MADE: Expected = { grpcStatus: 14 };
const TRUSTED = { enabled: true, caFile: "authority.pem", serverName: "backend.test" };
const SHOWN = { certFile: "gateway.pem", keyFile: "gateway.key" };

const shop = (host: string, spec: Readonly<Record<string, unknown>>) => [
  backend("shop", { hosts: [{ address: host, port: 8080 }], ...spec }),
  apiRoute("r", to("shop")),
];
const calls = (host: string, spec: Readonly<Record<string, unknown>>) => [
  grpcBackend("shop", { hosts: [{ address: host, port: 8080 }], ...spec }),
  grpcRoute("r", { match: [{ service: { exact: "*" } }], ...to("shop") }),
];
/** A route whose clients must show a certificate. */
const guarded = (validation: Readonly<Record<string, unknown>>) =>
  apiRoute("r", {
    ...to("echo-a"),
    tls: { clientValidation: { enabled: true, caFile: "authority.pem", ...validation } },
  });
const REFUSED: Expected = { status: 403 };

/** TLS to clients and to backends, and who shows which certificate. */
export const ENCRYPTION: readonly RoutingCase[] = [
  {
    name: "clients with TLS get the certificate of the name that they ask for, or the first one",
    objects: [apiRoute("r", to("echo-a"))],
    steps: [
      step(request("GET /", { tls: {} }), { status: 200, backend: "echo-a", certificate: "gateway.test" }),
      step(request("GET shop.test/", { tls: {} }), { status: 200, certificate: "shop.test" }),
      step(request("GET eu.shop.test/", { tls: {} }), { status: 200, certificate: "shop.test" }),
    ],
  },
  {
    name: "backends are told that a client came with TLS",
    objects: [apiRoute("r", to("echo-a"))],
    steps: [
      step(request("GET /", { tls: {} }), { status: 200, seen: { headers: { "x-forwarded-proto": "https" } } }),
      step("GET /", { status: 200, seen: { headers: { "x-forwarded-proto": "http" } } }),
    ],
  },
  {
    name: "calls of gRPC come with TLS too",
    objects: [grpcRoute("r", { match: [{ service: { exact: "*" } }], ...to("grpc-a") })],
    steps: [callStep(call("/shop.Orders/Get", { tls: {} }), { grpcStatus: 0, certificate: "gateway.test" })],
  },
  {
    name: "a route for one name takes no requests of connections that were made for another",
    objects: [apiRoute("r", { ...to("echo-a"), tls: { sniHosts: ["shop.test"] } })],
    steps: [
      step(request("GET shop.test/", { tls: {} }), "echo-a"),
      step(request("GET shop.test/", { tls: { serverName: "gateway.test" } }), { status: 421 }),
    ],
  },
  {
    name: "a route that demands a certificate takes those of its authority",
    objects: [guarded({ requireClientCert: true })],
    steps: [
      step(request("GET /", { tls: { certificate: "ada" } }), "echo-a"),
      step(request("GET /", { tls: { certificate: "bob" } }), "echo-a"),
    ],
  },
  {
    name: "a route that demands a certificate refuses clients without one, with TLS and without",
    objects: [guarded({ requireClientCert: true })],
    steps: [step(request("GET /", { tls: {} }), REFUSED), step("GET /", REFUSED)],
  },
  {
    name: "a certificate of a stranger is none, whatever name is in it",
    objects: [guarded({ requireClientCert: true, allowedSANs: ["ada.people.test"] })],
    steps: [step(request("GET /", { tls: { certificate: "mallory" } }), REFUSED)],
  },
  {
    name: "a route takes the common names that it allows",
    objects: [guarded({ requireClientCert: true, allowedCNs: ["ada"] })],
    steps: [
      step(request("GET /", { tls: { certificate: "ada" } }), "echo-a"),
      step(request("GET /", { tls: { certificate: "bob" } }), REFUSED),
    ],
  },
  {
    name: "a route takes the further names that it allows",
    objects: [guarded({ requireClientCert: true, allowedSANs: ["bob.people.test"] })],
    steps: [
      step(request("GET /", { tls: { certificate: "bob" } }), "echo-a"),
      step(request("GET /", { tls: { certificate: "ada" } }), REFUSED),
    ],
  },
  {
    name: "a certificate need not be shown where the route only checks those that are",
    objects: [guarded({ requireClientCert: false })],
    steps: [
      step(request("GET /", { tls: {} }), "echo-a"),
      step(request("GET /", { tls: { certificate: "ada" } }), "echo-a"),
      step(request("GET /", { tls: { certificate: "mallory" } }), { status: [200, 403] }),
    ],
  },
  {
    name: "other routes at the same listener demand no certificate",
    objects: [
      apiRoute("open", { ...prefix("/open"), ...to("echo-b") }),
      apiRoute("closed", {
        ...prefix("/closed"),
        ...to("echo-a"),
        tls: { clientValidation: { enabled: true, caFile: "authority.pem", requireClientCert: true } },
      }),
    ],
    steps: [step(request("GET /open", { tls: {} }), "echo-b"), step(request("GET /closed", { tls: {} }), REFUSED)],
  },
  {
    name: "an authority that cannot be read closes the route",
    objects: [guarded({ caFile: "/nowhere/authority.pem" })],
    steps: [step(request("GET /", { tls: { certificate: "ada" } }), { status: 503 })],
  },
  {
    name: "clients are authenticated by their certificate",
    objects: [
      apiRoute("r", {
        ...to("echo-a"),
        authentication: { enabled: true, mtls: { enabled: true, caFile: "authority.pem", allowedCNs: ["ada"] } },
      }),
    ],
    steps: [
      step(request("GET /", { tls: { certificate: "ada" } }), "echo-a"),
      step(request("GET /", { tls: { certificate: "bob" } }), { status: [401, 403] }),
      step(request("GET /", { tls: {} }), { status: 401 }),
    ],
  },
  {
    name: "a backend with TLS is asked with TLS, and nobody shows it a certificate",
    objects: shop("tls-a", { tls: TRUSTED }),
    steps: [step("GET /x?y", { status: 200, backend: "tls-a", seen: { target: "/x?y", caller: "" } })],
  },
  {
    name: "a backend that wants TLS is not reached without",
    objects: shop("tls-a", {}),
    steps: [step("GET /", NOT_REACHED)],
  },
  {
    name: "a backend without TLS is not reached with it",
    objects: shop("echo-a", { tls: TRUSTED }),
    steps: [step("GET /", NOT_REACHED)],
    asked: { "echo-a": 0 },
  },
  {
    name: "a backend of another name than the one that is expected is not asked",
    objects: shop("tls-a", { tls: { ...TRUSTED, serverName: "other.test" } }),
    steps: [step("GET /", NOT_REACHED)],
    asked: { "tls-a": 0 },
  },
  {
    name: "a backend whose certificate nobody trusted has issued is not asked",
    objects: shop("tls-a", { tls: { ...TRUSTED, caFile: "stranger.pem" } }),
    steps: [step("GET /", NOT_REACHED)],
    asked: { "tls-a": 0 },
  },
  {
    name: "the authorities of the system are trusted where no file is named, and they did not issue it",
    objects: shop("tls-a", { tls: { enabled: true, serverName: "backend.test" } }),
    steps: [step("GET /", NOT_REACHED)],
    asked: { "tls-a": 0 },
  },
  {
    name: "mode INSECURE takes any certificate",
    objects: shop("tls-a", { tls: { enabled: true, mode: "INSECURE" } }),
    steps: [step("GET /", "tls-a")],
  },
  {
    name: "insecureSkipVerify takes any certificate",
    objects: shop("tls-a", { tls: { enabled: true, insecureSkipVerify: true } }),
    steps: [step("GET /", "tls-a")],
  },
  {
    name: "mode MUTUAL shows the backend the gateway's certificate",
    objects: shop("tls-mutual", { tls: { ...TRUSTED, mode: "MUTUAL", ...SHOWN } }),
    steps: [step("GET /", { status: 200, backend: "tls-mutual", seen: { caller: "gateway" } })],
  },
  {
    name: "the certificate of the backend's authentication is shown",
    objects: shop("tls-mutual", {
      tls: TRUSTED,
      authentication: { type: "mtls", mtls: { enabled: true, ...SHOWN } },
    }),
    steps: [step("GET /", { status: 200, backend: "tls-mutual", seen: { caller: "gateway" } })],
  },
  {
    name: "a backend that demands a certificate is not reached without",
    objects: shop("tls-mutual", { tls: TRUSTED }),
    steps: [step("GET /", NOT_REACHED)],
    asked: { "tls-mutual": 0 },
  },
  {
    name: "a backend that demands a certificate is not reached with that of a stranger",
    objects: shop("tls-mutual", {
      tls: { ...TRUSTED, mode: "MUTUAL", certFile: "mallory.pem", keyFile: "mallory.key" },
    }),
    steps: [step("GET /", NOT_REACHED)],
    asked: { "tls-mutual": 0 },
  },
  {
    name: "minVersion is the lowest version that is spoken with backends",
    objects: shop("tls-old", { tls: { ...TRUSTED, minVersion: "TLS13" } }),
    steps: [step("GET /", NOT_REACHED)],
    asked: { "tls-old": 0 },
  },
  {
    name: "TLS 1.2 is spoken with backends that know no other",
    objects: shop("tls-old", { tls: { ...TRUSTED, minVersion: "TLS12" } }),
    steps: [step("GET /", "tls-old")],
  },
  {
    name: "clients with TLS reach backends with TLS, each with the certificates of its side",
    objects: shop("tls-mutual", { tls: { ...TRUSTED, mode: "MUTUAL", ...SHOWN } }),
    steps: [
      step(request("POST shop.test/", { body: "hello", tls: { certificate: "ada" } }), {
        status: 200,
        certificate: "shop.test",
        seen: { caller: "gateway", body: "hello" },
      }),
    ],
  },
  {
    name: "calls are made with TLS",
    objects: calls("grpc-tls", { tls: TRUSTED }),
    steps: [callStep("/shop.Orders/Get", "grpc-tls")],
  },
  {
    name: "calls are made with the gateway's certificate",
    objects: calls("grpc-mutual", { tls: { ...TRUSTED, mode: "MUTUAL", ...SHOWN } }),
    steps: [callStep("/shop.Orders/Get", { grpcStatus: 0, backend: "grpc-mutual", seen: { caller: "gateway" } })],
  },
  {
    name: "calls are not made to a backend that nobody trusted vouches for",
    objects: calls("grpc-tls", { tls: { ...TRUSTED, caFile: "stranger.pem" } }),
    steps: [callStep("/shop.Orders/Get", CALL_NOT_MADE)],
    asked: { "grpc-tls": 0 },
  },
];
