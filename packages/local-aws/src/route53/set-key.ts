import type { ResourceRecordSet } from "@gatewright/aws-wire/types/route53";
import type { DomainName } from "../dns/domain-name.ts";

/**
 * A name such that names sort as Route 53 lists them: by labels from the right, each label and the dot after it by their
 * characters. All that is below a name begins with what this gives for it.
 */
export function sortName(name: DomainName): string {
  if (name === ".") return "";
  return `${name.slice(0, -1).split(".").toReversed().map(plain).join(".")}.`;
}

/** Where a record set is kept. Keys of one zone sort as its sets are listed: by name, type and identifier. */
export function setKey(zone: string, name: DomainName, type: string, identifier = ""): string {
  return `${typePrefix(zone, name, type)}${identifier}`;
}

/** Where a given set is kept. */
export function keyOfSet(zone: string, set: ResourceRecordSet): string {
  return setKey(zone, set.Name, set.Type, set.SetIdentifier);
}

/** What the keys of all sets of a name and type begin with. */
export function typePrefix(zone: string, name: DomainName, type: string): string {
  return `${namePrefix(zone, name)}${type} `;
}

/** What the keys of all sets of a name begin with. */
export function namePrefix(zone: string, name: DomainName): string {
  return `${treePrefix(zone, name)} `;
}

/** What the keys of a name and of all names below it begin with. */
export function treePrefix(zone: string, name: DomainName): string {
  return `${zone}/${sortName(name)}`;
}

/** Escapes of characters that can be printed stand for themselves here; a space would end the name, a dot the label. */
function plain(label: string): string {
  return label.replace(/\\(\d{3})/g, (escape, octal: string) => {
    const code = Number.parseInt(octal, 8);
    return code > 0x20 && code < 0x7f && code !== 0x2e && code !== 0x5c ? String.fromCharCode(code) : escape;
  });
}
