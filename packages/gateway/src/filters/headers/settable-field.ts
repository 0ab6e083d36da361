import { isConnectionField, isFieldName, isFieldValue } from "../../exchange/field-rules.ts";

/** Fields that say how a message is framed or to whom it goes: whoever writes a message writes them. */
const FRAMING: ReadonlySet<string> = new Set(["content-length", "host", "te", "trailer", "proxy-authenticate"]);

/**
 * Why a configuration may not set this field, or undefined. Names are in lower case. Framing and hop-by-hop fields are what request
 * smuggling is made of; the gateway writes them itself.
 */
export function unsettableField(name: string): string | undefined {
  if (!isFieldName(name)) return "is not a name of a header field";
  if (isConnectionField(name) || FRAMING.has(name)) return "is written by the gateway itself and cannot be changed";
  return undefined;
}

/** A value as it may be sent, without blanks around it; undefined if it could end a line or is not latin1. */
export function settableValue(value: string): string | undefined {
  const trimmed = value.replace(/^[ \t]+|[ \t]+$/g, "");
  return isFieldValue(trimmed) ? trimmed : undefined;
}
