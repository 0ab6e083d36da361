import { id, sequence, set, text } from "./der.ts";

/** Whom a certificate speaks of. */
export interface Subject {
  readonly commonName?: string;
  readonly organizations?: readonly string[];
}

const PARTS = { commonName: "2.5.4.3", organization: "2.5.4.10" } as const;

/** The name of a subject or an issuer, as DER. */
export function distinguishedName({ commonName, organizations = [] }: Subject): Buffer {
  return sequence(
    ...organizations.map((name) => part("organization", name)),
    ...(commonName === undefined ? [] : [part("commonName", commonName)]),
  );
}

function part(kind: keyof typeof PARTS, value: string): Buffer {
  return set(sequence(id(PARTS[kind]), text(value)));
}
