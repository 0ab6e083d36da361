import type { PeerCertificate } from "node:tls";
import type { Answer } from "./answer.ts";
import type { Source } from "./body.ts";
import type { Fields } from "./fields.ts";

/** A request's head, validated: who made it guarantees that it can be written to any protocol as it is. */
export interface RequestHead {
  method: string;
  readonly scheme: "http" | "https";
  /** Host, with a port perhaps, lower-case. */
  authority: string;
  /** Path in its normal form (dot segments resolved, needless escapes decoded), and query as it came: what is matched is what is sent. */
  target: string;
  readonly version: "1.0" | "1.1" | "2";
  /** Without `host`, framing and hop-by-hop fields. */
  readonly fields: Fields;
  /** The protocol that the client wants to change to, lower-case: `websocket`. */
  readonly upgrade: string | undefined;
}

/** Who is at the other end of a connection. */
export interface Client {
  /** The address of the client: its connection's, or what the PROXY protocol says. Forwarded fields are judged in the pipeline. */
  readonly address: string;
  readonly port: number;
  readonly tls:
    | {
        readonly serverName: string | undefined;
        readonly protocol: string;
        /** The verified certificate, when the listener asks for one and the client has it. */
        readonly certificate: PeerCertificate | undefined;
      }
    | undefined;
}

/** One request, whichever protocol it came by, and the way to answer it. */
export interface Exchange {
  readonly head: RequestHead;
  /** Undefined: the request has none. */
  readonly body: Source | undefined;
  readonly client: Client;
  /** The name of the listener it came by. */
  readonly listener: string;
  /** Answers. Once. The promise settles when everything is sent, or cannot be; it never rejects. */
  send(answer: Answer): Promise<Sent>;
  /** Sets who is told when the client is gone before it has its whole answer. */
  onGone(listener: () => void): void;
}

/** What became of an answer. */
export interface Sent {
  readonly bytes: number;
  /** Why it is not whole, if it is not. */
  readonly failure: "client_gone" | "body_failed" | undefined;
}
