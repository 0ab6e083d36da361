import { isIP } from "node:net";
import { create } from "@bufbuild/protobuf";
import type { MessageShape } from "@bufbuild/protobuf";
import { ClusterLoadAssignmentSchema } from "@gatewright/gateway-wire/xds";
import type { LbEndpointSchema } from "@gatewright/gateway-wire/xds";
import type { Init } from "../packed.ts";

/** A host of a backend. */
export interface BackendHost {
  readonly address: string;
  readonly port: number;
  readonly weight?: number;
}

/** Whether all hosts are addresses: names have to be looked up, which Envoy does for clusters that say them themselves. */
export function areAddresses(hosts: readonly BackendHost[]): boolean {
  return hosts.every(({ address }) => isIP(address) !== 0);
}

/** The endpoints of a cluster. Hosts of weight 0 get nothing, unless all have it. `healthPort`: where they are asked how they are. */
export function loadAssignment(
  clusterName: string,
  hosts: readonly BackendHost[],
  healthPort?: number,
): MessageShape<typeof ClusterLoadAssignmentSchema> {
  const taking = hosts.filter(({ weight }) => weight !== 0);
  const lbEndpoints = (taking.length === 0 ? hosts : taking).map((host) => endpointOf(host, healthPort));
  // gRPC clients refuse endpoints without a locality and a weight.
  const endpoints = [{ locality: { region: "default" }, loadBalancingWeight: 1, lbEndpoints }];
  return create(ClusterLoadAssignmentSchema, { clusterName, endpoints });
}

function endpointOf(
  { address, port, weight }: BackendHost,
  healthPort: number | undefined,
): Init<typeof LbEndpointSchema> {
  const socket = { address, portSpecifier: { case: "portValue", value: port } } as const;
  return {
    loadBalancingWeight: Math.max(1, weight ?? 1),
    hostIdentifier: {
      case: "endpoint",
      value: {
        hostname: address,
        address: { address: { case: "socketAddress", value: socket } },
        ...(healthPort !== undefined && { healthCheckConfig: { portValue: healthPort } }),
      },
    },
  };
}
