import { contentsOf, elementsIn, id } from "./der.ts";
import { EXTENSION_IDS, NAME_TAGS } from "./extensions.ts";
import { ipText } from "./ip-octets.ts";

/** What Node does not tell of a certificate, or tells as a text that would have to be taken apart again. */
export interface CertificateDer {
  /** As its bytes: clients compare them with the issuer's. */
  readonly subject: Buffer;
  readonly keyIdentifier: Buffer | undefined;
  readonly hosts: readonly string[];
  readonly uris: readonly string[];
}

/** Where the parts of a version 3 certificate are (RFC 5280, 4.1). */
const SUBJECT = 5;
const EXTENSIONS_TAG = 0xa3;

/** Reads a well-formed certificate of version 3: one that Node has accepted. */
export function readDer(raw: Buffer): CertificateDer {
  const [signed = raw] = elementsIn(raw);
  const parts = elementsIn(signed);
  const subject = parts[SUBJECT];
  if (subject === undefined) throw new TypeError("a certificate without a subject");
  const wrapped = parts.find((part) => part[0] === EXTENSIONS_TAG);
  const all = wrapped === undefined ? [] : elementsIn(contentsOf(wrapped));
  const value = (name: keyof typeof EXTENSION_IDS): Buffer | undefined => {
    const wanted = id(EXTENSION_IDS[name]);
    const found = all.map(elementsIn).find(([first]) => first?.equals(wanted));
    const held = found?.at(-1);
    return held === undefined ? undefined : contentsOf(held);
  };
  const identifier = value("keyIdentifier");
  const names = value("names");
  const each = names === undefined ? [] : elementsIn(names);
  return {
    subject,
    keyIdentifier: identifier && contentsOf(identifier),
    hosts: each.flatMap((name) => hostOf(name)),
    uris: each.filter((name) => name[0] === NAME_TAGS.uri).map((name) => contentsOf(name).toString("latin1")),
  };
}

function hostOf(name: Buffer): readonly string[] {
  if (name[0] === NAME_TAGS.dns) return [contentsOf(name).toString("latin1")];
  return name[0] === NAME_TAGS.ip ? [ipText(contentsOf(name))] : [];
}
