/** The bytes of an address, 4 or 16; undefined for anything else, so that a host is known to be a name. */
export function ipOctets(text: string): Buffer | undefined {
  if (text.includes(":")) return v6Octets(text);
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return undefined;
  }
  return Buffer.from(parts.map(Number));
}

/** The text of an address, in its one canonical form. */
export function ipText(octets: Uint8Array): string {
  if (octets.length === 4) return octets.join(".");
  const groups = Buffer.from(octets).toString("hex").match(/.{4}/g) ?? [];
  return canonicalV6(groups.join(":")) ?? groups.join(":");
}

/** A host as certificates give it back: addresses in their canonical form, names as they are. */
export function canonicalHost(host: string): string {
  const octets = ipOctets(host);
  return octets === undefined ? host : ipText(octets);
}

function v6Octets(text: string): Buffer | undefined {
  const canonical = canonicalV6(text);
  if (canonical === undefined) return undefined;
  const [head = [], tail] = canonical.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const zeros = Array<string>(8 - head.length - (tail?.length ?? 0)).fill("0");
  const groups = tail === undefined ? head : [...head, ...zeros, ...tail];
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}

/** As URLs write it: lower case, the longest run of zeros shortened, an IPv4 ending as two groups. */
function canonicalV6(text: string): string | undefined {
  return /^[0-9a-fA-F:.]+$/.test(text) ? URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) : undefined;
}
