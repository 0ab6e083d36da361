import { grpcService } from "@gatewright/gateway-wire";
import { AggregatedDiscoveryService } from "@gatewright/gateway-wire/xds";
import type { DeltaDiscoveryRequest, DiscoveryRequest, Node } from "@gatewright/gateway-wire/xds";
import { status } from "@grpc/grpc-js";
import type { ServerDuplexStream, ServiceDefinition, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { Connections, GatewayIdentity } from "../distribution/connected-gateway.ts";
import type { Catalogue } from "../model/catalogue.ts";
import { AdsStream } from "./ads-stream.ts";
import { DeltaSubscription } from "./delta-subscription.ts";
import { resourceType } from "./resource-types.ts";
import type { ResourceType } from "./resource-types.ts";
import type { ResourceSet } from "./resource-set.ts";
import { TooFarBehindError, TooManyNamesError } from "./subscription.ts";
import type { Subscription, Verdict } from "./subscription.ts";
import type { Views } from "./views.ts";
import { WorldSubscription } from "./world-subscription.ts";

/** A stream of either kind: answers are encoded already. */
type Call<Request> = ServerDuplexStream<Request, Uint8Array>;

/** Who a client is, by its certificate and what it says of itself; or why it is nobody that we serve. */
export type IdentifyNode = (
  call: Pick<ServerDuplexStream<unknown, unknown>, "getAuthContext" | "getPeer" | "metadata">,
  node: Node,
) => GatewayIdentity | { readonly refused: string };

export interface AdsOptions {
  readonly catalogue: Catalogue;
  readonly connections: Connections;
  readonly views: Views;
  readonly identify: IdentifyNode;
}

/** What a request says, whichever kind of stream it came by. */
interface Dialogue<Request, Kind extends Subscription> {
  subscribe(type: ResourceType, resources: ResourceSet): Kind;
  take(request: Request, subscription: Kind, generation: number): Verdict | undefined;
}

const DELTA: Dialogue<DeltaDiscoveryRequest, DeltaSubscription> = {
  subscribe: (type, resources) => new DeltaSubscription(type, resources.of(type)),
  take: (request, subscription, generation) =>
    subscription.take(
      {
        subscribe: request.resourceNamesSubscribe,
        unsubscribe: request.resourceNamesUnsubscribe,
        initialVersions: new Map(Object.entries(request.initialResourceVersions)),
        nonce: request.responseNonce,
        error: request.errorDetail?.message,
      },
      generation,
    ),
};

const WORLD: Dialogue<DiscoveryRequest, WorldSubscription> = {
  subscribe: (type, resources) => new WorldSubscription(type, resources.of(type)),
  take: (request, subscription, generation) =>
    subscription.take(
      { names: request.resourceNames, nonce: request.responseNonce, error: request.errorDetail?.message },
      generation,
    ),
};

/** The aggregated discovery service, for a server of gRPC. */
export function adsService(options: AdsOptions): {
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
} {
  return {
    definition: grpcService(AggregatedDiscoveryService),
    implementation: {
      streamAggregatedResources: (call: Call<DiscoveryRequest>) => serve(call, WORLD, options),
      deltaAggregatedResources: (call: Call<DeltaDiscoveryRequest>) => serve(call, DELTA, options),
    },
  };
}

/** One client, from its first request to its last. */
function serve<
  Request extends { readonly typeUrl: string; readonly node?: Node | undefined },
  Kind extends Subscription,
>(call: Call<Request>, dialogue: Dialogue<Request, Kind>, options: AdsOptions): void {
  let client: { readonly stream: AdsStream<Kind>; end(): void } | undefined;
  const end = (): void => {
    client?.end();
    client = undefined;
  };
  const fail = (code: status, details: string): void => {
    end();
    call.emit("error", { code, details });
  };
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (error instanceof TooFarBehindError) fail(status.ABORTED, error.message);
      else if (error instanceof TooManyNamesError) fail(status.RESOURCE_EXHAUSTED, error.message);
      else throw error;
    }
  };
  call.on("data", (request: Request) => {
    const type = resourceType(request.typeUrl);
    if (request.typeUrl === "") return fail(status.INVALID_ARGUMENT, "a request names the type of its resources");
    if (client === undefined) {
      if (request.node === undefined)
        return fail(status.INVALID_ARGUMENT, "the first request says which node it is of");
      const identity = options.identify(call, request.node);
      if ("refused" in identity) return fail(status.PERMISSION_DENIED, identity.refused);
      client = begin(call, dialogue, identity, options, guarded);
    }
    if (type === undefined) return;
    const { stream } = client;
    guarded(() => stream.request(type, (subscription, generation) => dialogue.take(request, subscription, generation)));
  });
  call.on("end", () => {
    end();
    call.end();
  });
  call.on("cancelled", end);
  call.on("error", end);
}

function begin<Request, Kind extends Subscription>(
  call: Call<Request>,
  dialogue: Dialogue<Request, Kind>,
  identity: GatewayIdentity,
  { catalogue, connections, views }: AdsOptions,
  guarded: (work: () => void) => void,
): { readonly stream: AdsStream<Kind>; end(): void } {
  const connection = connections.open(identity);
  const held = views.open(connection);
  const { resources } = held;
  const stream = new AdsStream<Kind>({
    resources,
    connection,
    versionOf: (key) => catalogue.get(key)?.deliverable.version,
    subscribe: (type) => dialogue.subscribe(type, resources),
    needsRoutes: identity.dialect === "envoy",
    send: (answer) => void call.write(answer),
  });
  const unsubscribe = resources.subscribe(() => guarded(() => stream.advance()));
  return {
    stream,
    end() {
      unsubscribe();
      held.release();
      connection.close();
    },
  };
}
