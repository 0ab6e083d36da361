import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { compareWholeRows } from "@gatewright/gateway/rows";
import { HeaderValueOption_HeaderAppendAction, RouteConfigurationSchema } from "@gatewright/gateway-wire/xds";
import type { EncodedRow } from "./route-messages.ts";

const ANY = "*";

/** Rows of one host in order, and their bytes together until one of them changes. */
interface HostRows {
  readonly rows: EncodedRow[];
  plain: Uint8Array | undefined;
  secure: Uint8Array | undefined;
}

/**
 * All rows by host, in the order in which Envoy has to ask them. Envoy looks a host up in one virtual host only: each has the rows of
 * its own name, then those of wildcards around it, then those of all hosts. A change costs the rows of its hosts.
 */
export class VirtualHosts {
  readonly #hosts = new Map<string, HostRows>();
  /** Virtual hosts as they were encoded last, until their rows change. */
  readonly #encoded = { plain: new Map<string, Uint8Array>(), secure: new Map<string, Uint8Array>() };

  add(encoded: EncodedRow): void {
    const host = encoded.row.host ?? ANY;
    let group = this.#hosts.get(host);
    if (group === undefined) {
      group = { rows: [], plain: undefined, secure: undefined };
      this.#hosts.set(host, group);
    }
    group.rows.splice(this.#place(group.rows, encoded), 0, encoded);
    this.#changed(host, group);
  }

  remove(encoded: EncodedRow): void {
    const host = encoded.row.host ?? ANY;
    const group = this.#hosts.get(host);
    if (group === undefined) return;
    let at = this.#place(group.rows, encoded);
    while (at > 0 && group.rows[at] !== encoded) at--;
    if (group.rows[at] !== encoded) at = group.rows.indexOf(encoded);
    if (at === -1) return;
    group.rows.splice(at, 1);
    this.#changed(host, group);
    if (group.rows.length === 0) this.#hosts.delete(host);
  }

  /** All hosts that there are rows for; `*` for any. */
  names(): Iterable<string> {
    return this.#hosts.keys();
  }

  /** A `RouteConfiguration`, encoded. */
  encoded(name: string, way: "plain" | "secure"): Uint8Array {
    const parts: Uint8Array[] = [
      toBinary(RouteConfigurationSchema, create(RouteConfigurationSchema, { name, ...FOR_ALL })),
    ];
    const known = this.#encoded[way];
    for (const host of this.#hosts.keys()) {
      let bytes = known.get(host);
      if (bytes === undefined) known.set(host, (bytes = this.#virtualHost(host, way)));
      parts.push(bytes);
    }
    return Buffer.concat(parts);
  }

  /** Rows of one name are in its virtual host only; others may be in all. */
  #changed(host: string, group: HostRows): void {
    group.plain = group.secure = undefined;
    for (const known of [this.#encoded.plain, this.#encoded.secure])
      if (host.startsWith("*")) known.clear();
      else known.delete(host);
  }

  /** An element of `RouteConfiguration.virtual_hosts`. */
  #virtualHost(host: string, way: "plain" | "secure"): Uint8Array {
    const writer = new BinaryWriter();
    writer.tag(1, WireType.LengthDelimited).string(host);
    writer.tag(2, WireType.LengthDelimited).string(host);
    const content = Buffer.concat([writer.finish(), ...this.#groups(host).map((group) => bytesOf(group, way))]);
    return new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(content).finish();
  }

  #groups(host: string): HostRows[] {
    const names = [host];
    if (host !== ANY) {
      const from = host.startsWith("*.") ? 2 : 0;
      for (let dot = host.indexOf(".", from + 1); dot !== -1; dot = host.indexOf(".", dot + 1))
        names.push(`*${host.slice(dot)}`);
      names.push(ANY);
    }
    return names.map((name) => this.#hosts.get(name)).filter((group) => group !== undefined);
  }

  /** After all that come before it or are its equals. */
  #place(rows: readonly EncodedRow[], { row }: EncodedRow): number {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareWholeRows(rows[middle]!.row, row) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const { OVERWRITE_IF_EXISTS_OR_ADD } = HeaderValueOption_HeaderAppendAction;

/** More than an object can hold. */
const MOST_DIRECT_BYTES = 2 * 1024 * 1024;

/** Backends are told who asks, for which host; not what clients claim. */
const FOR_ALL = {
  ignorePortInHostMatching: true,
  maxDirectResponseBodySizeBytes: MOST_DIRECT_BYTES,
  requestHeadersToAdd: [
    {
      header: { key: "x-forwarded-for", value: "%DOWNSTREAM_DIRECT_REMOTE_ADDRESS_WITHOUT_PORT%" },
      appendAction: OVERWRITE_IF_EXISTS_OR_ADD,
    },
    { header: { key: "x-forwarded-host", value: "%REQ(:AUTHORITY)%" }, appendAction: OVERWRITE_IF_EXISTS_OR_ADD },
  ],
  requestHeadersToRemove: ["forwarded", "x-real-ip"],
};

function bytesOf(group: HostRows, way: "plain" | "secure"): Uint8Array {
  return (group[way] ??= Buffer.concat(
    group.rows.map(({ bytes, secureBytes }) => (way === "secure" ? secureBytes : bytes)),
  ));
}
