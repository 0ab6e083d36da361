import { createHttpSend } from "@gatewright/aws";
import type { HttpSend } from "@gatewright/aws";
import { isRefusedAddress } from "./refused-address.ts";
import type { ProviderSettings } from "./settings.ts";

const MOST_CONNECTIONS = 8;
/** More than any answer about one resource, or a page of many. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Carries calls to endpoints that providers name. They may be anybody's, so it goes nowhere it should not and reads no endless answers. */
export function createTenantSend({ loopbackEndpoints = false }: Partial<ProviderSettings> = {}): HttpSend {
  return createHttpSend({
    maxConnections: MOST_CONNECTIONS,
    mostBytes: MOST_BYTES,
    refuses: (address) => isRefusedAddress(address, { loopback: loopbackEndpoints }),
  });
}
