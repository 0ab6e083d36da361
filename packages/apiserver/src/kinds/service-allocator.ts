import { at, child, internalError, invalid, invalidObject, quote } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import type { Random } from "@gatewright/ports";
import { count, number, specOf, struct, structs, text, texts } from "../resources/object-fields.ts";
import type { WriteContext } from "../resources/resource.ts";
import { addressBits } from "./ip-validation.ts";

/** Where Services get their addresses and node ports from. */
export interface ServiceRange {
  /** An IPv4 network: `10.0.0.0/16`. */
  readonly cidr: string;
  readonly firstNodePort: number;
  readonly lastNodePort: number;
}

export const defaultServiceRange: ServiceRange = { cidr: "10.0.0.0/16", firstNodePort: 30000, lastNodePort: 32767 };

/** How long a value that was given out is kept while its Service is not seen in the store. */
const RESERVATION_MS = 60_000;

const SERVICE = { group: "", kind: "Service" };

const addressText = (bits: number): string => [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join(".");

function valuesOf(service: KubeObject): number[] {
  const spec = struct(service, "spec");
  const addresses = texts(spec, "clusterIPs").filter((ip) => ip !== "None" && !ip.includes(":"));
  return [...addresses.map((ip) => Number(addressBits(ip))), ...nodePortsOf(spec)];
}

/** Node ports of a Service, the one of its health check included. */
function nodePortsOf(spec: JsonObject | undefined): number[] {
  const ports = structs(spec, "ports").map((port) => number(port, "nodePort"));
  return [...ports, number(spec, "healthCheckNodePort")].filter((port) => port !== undefined && port !== 0) as number[];
}

/**
 * Gives cluster IPs and node ports to Services. What is in use is read from the stored Services and kept up to date by a
 * watch on them, so nothing has to be released; a value that was just given out is held for a minute, until its Service is
 * stored. Addresses and ports are numbers in one set: addresses of the range never look like ports.
 */
export class ServiceAllocator {
  readonly #random: Random;
  readonly #range: ServiceRange;
  readonly #base: number;
  readonly #size: number;
  /** How many stored Services use a value. */
  readonly #used = new Map<number, number>();
  readonly #reserved = new Map<number, number>();
  #watching = false;

  constructor(random: Random, range: ServiceRange) {
    const [address = "", prefix = ""] = range.cidr.split("/");
    this.#random = random;
    this.#range = range;
    this.#base = Number(addressBits(address));
    this.#size = 2 ** (32 - Number(prefix));
  }

  /** A free address, or the one asked for. Throws a StatusError when that cannot be given. */
  clusterIP(service: KubeObject, asked: string, context: WriteContext): string {
    this.#follow(context);
    const shown = [...texts(struct(service, "spec"), "clusterIPs")];
    const refuse = (why: string): never => {
      throw invalidObject(SERVICE, service.metadata.name ?? "", [invalid("spec.clusterIPs", shown, why)]);
    };
    if (asked === "") {
      // The first 256 addresses are left to those who ask for a certain one, as long as there are others.
      const band = Math.min(Math.max(16, this.#size >> 4), 256);
      const bits = this.#pick(this.#base + 1, this.#base + this.#size - 2, this.#base + 1 + band, context);
      if (bits !== undefined) return addressText(bits);
      throw internalError(
        `failed to allocate a serviceIP for Service ${quote(service.metadata.name ?? "")}: range is full`,
      );
    }
    const bits = Number(addressBits(asked));
    if (bits <= this.#base || bits >= this.#base + this.#size - 1) {
      // The real server asks other code in a dry run, which has other words.
      const why = context.dryRun
        ? `the provided IP (${asked}) is not in the valid range. The range of valid IPs is ${this.#range.cidr}`
        : "the provided network does not match the current range";
      refuse(`failed to allocate IP ${asked}: ${why}`);
    }
    // In a dry run the real server looks at the range only.
    if (!context.dryRun && !this.#take(bits, context))
      refuse(`failed to allocate IP ${asked}: provided IP is already allocated`);
    return asked;
  }

  /** A free node port, or the one asked for. `path` is the field that asks. */
  nodePort(service: KubeObject, asked: number, path: string, context: WriteContext): number {
    this.#follow(context);
    const { firstNodePort: first, lastNodePort: last } = this.#range;
    if (asked === 0) {
      const port = this.#pick(first, last, first + 86, context);
      if (port !== undefined) return port;
      throw internalError("failed to allocate a nodePort: range is full");
    }
    const why =
      asked < first || asked > last
        ? `provided port is not in the valid range. The range of valid ports is ${first}-${last}`
        : this.#take(asked, context)
          ? undefined
          : "provided port is already allocated";
    if (why === undefined) return asked;
    throw invalidObject(SERVICE, service.metadata.name ?? "", [invalid(path, asked, why)]);
  }

  #take(value: number, { now, dryRun }: WriteContext): boolean {
    if ((this.#used.get(value) ?? 0) > 0 || (this.#reserved.get(value) ?? 0) > now) return false;
    if (!dryRun) this.#reserved.set(value, now + RESERVATION_MS);
    return true;
  }

  /** A free value between two, both included, from the upper part where there is one. */
  #pick(low: number, high: number, upper: number, context: WriteContext): number | undefined {
    for (const [from, to] of [
      [Math.min(upper, high), high],
      [low, high],
    ] as const) {
      const span = to - from + 1;
      const start = Buffer.from(this.#random.bytes(6)).readUIntBE(0, 6) % span;
      for (let i = 0; i < span; i++) {
        const value = from + ((start + i) % span);
        if (this.#take(value, context)) return value;
      }
    }
    return undefined;
  }

  #follow({ cluster, now }: WriteContext): void {
    if (this.#watching) {
      if (this.#reserved.size > 1000) {
        for (const [value, until] of this.#reserved) if (until <= now) this.#reserved.delete(value);
      }
      return;
    }
    this.#used.clear();
    const table = cluster.store.table("services");
    const snapshot = table.snapshot();
    for (const entry of snapshot.entries()) this.#count(table.decode(entry), 1);
    const watching = table.watch(snapshot.revision, (change) => {
      if (change.previous) this.#count(table.decode(change.previous), -1);
      if (change.type !== "DELETED") this.#count(table.decode(change.entry), 1);
    });
    this.#watching = watching !== "expired";
  }

  #count(service: KubeObject, by: 1 | -1): void {
    for (const value of valuesOf(service)) {
      const count = (this.#used.get(value) ?? 0) + by;
      if (count > 0) this.#used.set(value, count);
      else this.#used.delete(value);
      this.#reserved.delete(value);
    }
  }
}

/** Gives node ports to the ports of a Service that have none, and takes those that are asked for and new. */
export function allocateNodePorts(
  allocator: ServiceAllocator,
  service: KubeObject,
  old: KubeObject | undefined,
  context: WriteContext,
): void {
  const spec = specOf(service);
  const kept = new Set(nodePortsOf(struct(old, "spec")));
  const byProtocol = new Map<number, Set<string>>();
  structs(spec, "ports").forEach((port, i) => {
    const asked = count(port, "nodePort");
    const protocol = text(port, "protocol");
    const sharers = byProtocol.get(asked);
    // TCP and UDP may share a number within one Service.
    const shared = sharers !== undefined && !sharers.has(protocol);
    if (asked !== 0) byProtocol.set(asked, (sharers ?? new Set()).add(protocol));
    if (asked !== 0 && (kept.has(asked) || shared)) return;
    port["nodePort"] = allocator.nodePort(service, asked, child(at("spec.ports", i), "nodePort"), context);
  });
}
