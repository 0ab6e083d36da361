/**
 * Fields that are no message's own but its connection's: framing, routing, hop-by-hop. They are read when a message is, and are made
 * anew when it is written. `dropped`: nothing is asked of it.
 */
export type OwnField =
  | "host"
  | "content-length"
  | "transfer-encoding"
  | "connection"
  | "upgrade"
  | "expect"
  | "dropped"
  | undefined;

/** Which of these fields this is. By its length first: most names are none, and are told so by one comparison. */
export function ownFieldOf(name: string): OwnField {
  switch (name.length) {
    case 2:
      return name === "te" ? "dropped" : undefined;
    case 4:
      return name === "host" ? "host" : undefined;
    case 6:
      return name === "expect" ? "expect" : undefined;
    case 7:
      if (name === "upgrade") return "upgrade";
      return name === "trailer" ? "dropped" : undefined;
    case 10:
      if (name === "connection") return "connection";
      return name === "keep-alive" ? "dropped" : undefined;
    case 14:
      return name === "content-length" ? "content-length" : undefined;
    case 16:
      return name === "proxy-connection" ? "dropped" : undefined;
    case 17:
      return name === "transfer-encoding" ? "transfer-encoding" : undefined;
    case 18:
      return name === "proxy-authenticate" ? "dropped" : undefined;
    case 19:
      return name === "proxy-authorization" ? "dropped" : undefined;
    default:
      return undefined;
  }
}
