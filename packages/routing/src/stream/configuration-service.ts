import { status as grpcStatus } from "@grpc/grpc-js";
import type {
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
  UntypedServiceImplementation,
  sendUnaryData,
} from "@grpc/grpc-js";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { operatorApi } from "@gatewright/gateway-wire";
import type { Clock } from "@gatewright/ports";
import { callerNames } from "./identity/caller-names.ts";
import { speaksFor } from "./identity/identity-of.ts";
import type { Session, Sessions } from "./sessions.ts";
import type { StreamMetrics } from "./stream-metrics.ts";
import type { StreamCall } from "./stream-calls.ts";
import { MOST_BYTES } from "./wire/bodies.ts";
import { setHash } from "./wire/set-hash.ts";
import { snapshotBytes, timestampBytes } from "./wire/update-bytes.ts";
import { formatUpdateVersion } from "./wire/update-version.ts";

export interface ServiceParts {
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly metrics: StreamMetrics;
  readonly heartbeatMs: number;
  /** Whether a gateway's certificate must be in its name. */
  readonly bindsIdentity: boolean;
  /** Set when the server ends: nobody is let in any more. */
  readonly isEnding: () => boolean;
  readonly open: (call: StreamCall, session: Session) => void;
}

interface Refusal {
  readonly code: grpcStatus;
  readonly details: string;
}

type Unary<T> = ServerUnaryCall<T, unknown>;
type AnyCall = Pick<Unary<unknown>, "getAuthContext" | "getPeer">;

/** The calls of gateways. */
export function configurationService(parts: ServiceParts): UntypedServiceImplementation {
  const { sessions, clock, metrics, heartbeatMs } = parts;
  const unary =
    <Request>(method: string, answer: (call: Unary<Request>) => object | Refusal) =>
    (call: Unary<Request>, done: sendUnaryData<unknown>): void => {
      const made = answer(call);
      const refused = "code" in made && "details" in made;
      metrics.call(method, refused ? "error" : "ok");
      if (refused) done(made);
      else done(null, made);
    };
  const known = (call: AnyCall, id: string): Session | Refusal => knownSession(parts, call, id);
  const acknowledged = (session: Session, said: operatorApi.AcknowledgeConfigurationRequest): void => {
    if (!said.success) metrics.failed();
    session.stream?.delivery.acknowledge(said);
  };
  return {
    registerGateway: unary<operatorApi.RegisterGatewayRequest>("RegisterGateway", (call) => {
      const { gateway } = call.request;
      if (parts.isEnding()) return ENDING;
      if (gateway === undefined || gateway.name === "" || gateway.namespace === "")
        return create(operatorApi.RegisterGatewayResponseSchema, { errorMessage: "gateway info is required" });
      const refused = refusalOf(parts, call, gateway);
      if (refused !== undefined) return refused;
      const { id: sessionId } = sessions.register(gateway, call.getPeer());
      const heartbeatInterval = durationFromMs(heartbeatMs);
      return create(operatorApi.RegisterGatewayResponseSchema, {
        success: true,
        sessionId,
        heartbeatInterval,
        takesAcknowledgementStreams: true,
      });
    }),
    streamConfiguration: (call: ServerWritableStream<operatorApi.StreamConfigurationRequest, Uint8Array>): void => {
      const session = parts.isEnding() ? ENDING : known(call, call.request.sessionId);
      metrics.call("StreamConfiguration", "code" in session ? "error" : "ok");
      if ("code" in session) call.emit("error", session);
      else parts.open(call, session);
    },
    getConfiguration: unary<operatorApi.GetConfigurationRequest>("GetConfiguration", (call) => {
      const session = known(call, call.request.sessionId);
      if ("code" in session) return session;
      return snapshotOf(session, clock);
    }),
    heartbeat: unary<operatorApi.HeartbeatRequest>("Heartbeat", (call) => {
      const session = known(call, call.request.sessionId);
      if ("code" in session && session.code !== grpcStatus.FAILED_PRECONDITION) return session;
      return create(operatorApi.HeartbeatResponseSchema, {
        acknowledged: !("code" in session),
        serverTime: timestampFromMs(clock.now()),
      });
    }),
    acknowledgeConfiguration: unary<operatorApi.AcknowledgeConfigurationRequest>("AcknowledgeConfiguration", (call) => {
      const session = known(call, call.request.sessionId);
      if ("code" in session) return session;
      acknowledged(session, call.request);
      return received(clock);
    }),
    acknowledgeConfigurations: (
      call: ServerReadableStream<operatorApi.AcknowledgeConfigurationRequest, unknown>,
      done: sendUnaryData<unknown>,
    ): void => {
      let session: Session | undefined;
      let isOver = false;
      const end = (refused?: Refusal): void => {
        if (isOver) return;
        isOver = true;
        metrics.call("AcknowledgeConfigurations", refused === undefined ? "ok" : "error");
        if (refused === undefined) done(null, received(clock));
        else done(refused);
      };
      call.on("data", (said: operatorApi.AcknowledgeConfigurationRequest) => {
        if (isOver) return;
        // Who calls is asked once: a call stays on its connection.
        const found = session === undefined ? known(call, said.sessionId) : sessions.get(said.sessionId);
        if (found !== undefined && "code" in found) end(found);
        else if (found?.stream === undefined || (session !== undefined && found !== session)) end(UNKNOWN);
        else {
          session = found;
          hear(parts, session);
          acknowledged(session, said);
        }
      });
      for (const last of ["end", "cancelled", "error"]) call.on(last, () => end());
    },
  };
}

function received(clock: Clock): operatorApi.AcknowledgeConfigurationResponse {
  return create(operatorApi.AcknowledgeConfigurationResponseSchema, {
    received: true,
    serverTime: timestampFromMs(clock.now()),
  });
}

const ENDING: Refusal = { code: grpcStatus.UNAVAILABLE, details: "the operator ends; another one takes over" };
const UNKNOWN: Refusal = {
  code: grpcStatus.FAILED_PRECONDITION,
  details: "no such session, or it has no stream: register anew and follow",
};
const TOO_LARGE: Refusal = {
  code: grpcStatus.RESOURCE_EXHAUSTED,
  details: "the configuration does not fit into one message: follow the stream",
};

/** All that a gateway that follows the stream is to have. */
function snapshotOf({ stream }: Session, clock: Clock): Uint8Array | Refusal {
  if (stream === undefined) return UNKNOWN;
  const set = stream.content();
  const version = formatUpdateVersion({ hash: setHash(set), sequence: 0n });
  const bytes = snapshotBytes(set, version, timestampBytes(clock.now()));
  return bytes.byteLength > MOST_BYTES ? TOO_LARGE : bytes;
}

/** The session of a call, if the caller is the gateway that it is of. The same connection is asked for its certificate once. */
function knownSession(parts: ServiceParts, call: AnyCall, id: string): Session | Refusal {
  const session = parts.sessions.get(id);
  if (session === undefined) return UNKNOWN;
  const peer = call.getPeer();
  if (session.peer !== peer) {
    const refused = refusalOf(parts, call, session.info);
    if (refused !== undefined) return refused;
    session.peer = peer;
  }
  hear(parts, session);
  return session;
}

function hear({ clock }: ServiceParts, session: Session): void {
  session.heardAt = clock.monotonic();
  session.stream?.heard();
}

function refusalOf(parts: ServiceParts, call: AnyCall, gateway: operatorApi.GatewayInfo): Refusal | undefined {
  if (!parts.bindsIdentity) return undefined;
  const names = callerNames(call);
  if (speaksFor(names, gateway)) return undefined;
  const shown = names.map(({ name, namespace }) => `${name}.${namespace}`).join(", ");
  const details = `the certificate is not one of gateway ${gateway.name}.${gateway.namespace}; it is of: ${shown || "no gateway"}`;
  return { code: grpcStatus.PERMISSION_DENIED, details };
}
