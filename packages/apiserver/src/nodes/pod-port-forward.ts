import type { Duplex } from "node:stream";
import { badRequest } from "@gatewright/kube";
import { accessForbidden } from "../auth/index.ts";
import type { Authorizer, UserInfo } from "../auth/index.ts";
import type { Cluster } from "../cluster.ts";
import type { ApiRequest, ApiResponse } from "../http/api-request.ts";
import type { ConnectSubresource, ConnectTarget } from "../resources/resource.ts";
import { knownPod } from "./known-pod.ts";
import type { NodeAccess, PodIdentity } from "./node-access.ts";
import { forwardChannels } from "./port-forward-channels.ts";
import { forwardStreams } from "./port-forward-streams.ts";
import { acceptHeaders, isWebSocket, offeredProtocols } from "./websocket/accept.ts";
import { webSocketTunnel } from "./websocket/messages.ts";

const PROTOCOL = "portforward.k8s.io";
const TUNNEL = `SPDY/3.1+${PROTOCOL}`;
/** Also the one of clients that offer none. */
const CHANNELS = "v4.channel.k8s.io";

/** `pods/portforward`: connections to ports of a pod over one connection to this server. */
export function podPortForward(
  nodes: NodeAccess,
  { cluster, authorizer }: { readonly cluster: Pick<Cluster, "get">; readonly authorizer: Authorizer },
): ConnectSubresource {
  return {
    type: "connect",
    kind: { group: "", version: "v1", kind: "PodPortForwardOptions" },
    verbs: ["create", "get"],
    takesPath: false,
    async connect(request, target, user) {
      mustBeAllowed(authorizer, target, user);
      const pod = knownPod(cluster, target.namespace, target.name);
      if (pod.nodeName === "") throw badRequest(`pod ${pod.name} does not have a host assigned`);
      const answer = request.upgradable === true ? upgraded(request, pod, nodes) : undefined;
      if (answer === undefined) throw badRequest("Upgrade request required");
      return answer;
    },
  };
}

/** WebSockets begin by a GET, other clients by a POST: both need what the POST needs. */
function mustBeAllowed(authorizer: Authorizer, { namespace, name }: ConnectTarget, user: UserInfo): void {
  const resource = { group: "", version: "v1", resource: "pods", subresource: "portforward", namespace, name };
  const access = { user, verb: "create", resource };
  const decision = authorizer.authorize(access);
  if (!decision.allowed) throw accessForbidden(access, decision.reason);
}

function upgraded(request: ApiRequest, pod: PodIdentity, nodes: NodeAccess): ApiResponse | undefined {
  if (request.headers["upgrade"]?.toLowerCase() === "spdy/3.1") {
    const headers = { connection: "Upgrade", upgrade: "SPDY/3.1", "x-stream-protocol-version": PROTOCOL };
    return switching(headers, (socket) => void forwardStreams(socket, pod, nodes));
  }
  if (!isWebSocket(request)) return undefined;
  const offered = offeredProtocols(request);
  if (offered.includes(TUNNEL)) {
    return switching(acceptHeaders(request, TUNNEL), (socket) => {
      void forwardStreams(webSocketTunnel(socket), pod, nodes);
    });
  }
  if (offered.length > 0 && !offered.includes(CHANNELS)) return undefined;
  const ports = portsOf(request.query);
  const headers = acceptHeaders(request, offered.length > 0 ? CHANNELS : "");
  return switching(headers, (socket) => void forwardChannels(socket, ports, pod, nodes));
}

function switching(headers: Readonly<Record<string, string>>, upgrade: (socket: Duplex) => void): ApiResponse {
  return { status: 101, headers, body: Buffer.alloc(0), upgrade };
}

/** The ports that a client with channels wants. Throws 400 for none, or for what is no port. */
function portsOf(query: URLSearchParams): readonly number[] {
  const asked = query.getAll("ports").flatMap((value) => value.split(","));
  if (asked.length === 0) throw badRequest('query parameter "ports" is required');
  return asked.map((value) => {
    const port = /^[0-9]+$/.test(value) ? Number(value) : 0;
    if (port < 1 || port > 65535) throw badRequest(`invalid port ${JSON.stringify(value)}`);
    return port;
  });
}
