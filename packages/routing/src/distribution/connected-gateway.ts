import type { Deliverable, DeliverableKey } from "../model/deliverable.ts";

/** How a gateway is spoken to, and what it understands. */
export type Dialect = "gatewright" | "avapigw" | "envoy" | "grpc";

/** A gateway that is connected to this process. */
export interface GatewayIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly dialect: Dialect;
  /** Which door it came through. */
  readonly door: "stream" | "push" | "xds";
  readonly labels: Readonly<Record<string, string>>;
  readonly version: string;
  readonly podName?: string;
  /** Namespaces that it asked for; none: all that it may have. */
  readonly namespaces: readonly string[];
}

/** What a gateway says of something that it was given. */
export interface Remark {
  readonly key: DeliverableKey;
  /** Of the deliverable that it is about. */
  readonly version: string;
  /** Whether it was left out: what the gateway had before, if anything, stays. Otherwise: it is served, but not all of it works. */
  readonly refused: boolean;
  /** `spec.match[0].uri.regex`. */
  readonly field: string;
  readonly message: string;
}

/** Which gateways get what, beside the namespaces that they asked for. Pure, and cheap: it is asked often. */
export type Selection = (gateway: GatewayIdentity, deliverable: Deliverable) => boolean;

/** What is known beforehand of how gateways of a dialect take a deliverable: the same for all of them, so that no connection keeps it. */
export type KnownRemarks = (deliverable: Deliverable) => readonly Remark[];

/** How one gateway stands to one deliverable. */
export type Standing =
  | { readonly state: "pending" }
  /** `since`: about when, in milliseconds since the epoch; for what was applied long ago, when the gateway connected. */
  | { readonly state: "applied"; readonly since: number; readonly remarks: readonly Remark[] }
  | { readonly state: "refused"; readonly remarks: readonly Remark[] };

/** What is known of a connection, for status, metrics and `gatewright gateways`. */
export interface ConnectionView {
  readonly id: string;
  readonly gateway: GatewayIdentity;
  /** Milliseconds since the epoch. */
  readonly connectedAt: number;
  readonly lastHeardAt: number;
  /** All up to this revision of the catalogue was sent, and was acknowledged. */
  readonly sent: number;
  readonly acknowledged: number;
  /** How many deliverables it should have and has not acknowledged yet. */
  readonly behind: number;
  readonly refused: number;
  /** Why, of the first of them by name. */
  refusals(most: number): readonly Remark[];
  /** What the gateway said of all that it was given, without naming an object; empty when nothing is wrong. */
  readonly problem: string;
}

/**
 * Who has what. Doors tell it; the status of objects is read from it. A connection is two numbers and its exceptions: what it
 * refused, and what it remarked.
 */
export interface Connections {
  /** A gateway is there. What is known to be refused counts as refused at once, without an acknowledgement. */
  open(gateway: GatewayIdentity, known?: KnownRemarks): Connection;
  all(): readonly ConnectionView[];
  /**
   * How each gateway that should have a deliverable stands to its newest version, in the order of their names. Empty for what is not in
   * the catalogue.
   */
  standing(key: DeliverableKey): ReadonlyMap<ConnectionView, Standing>;
  /** Told when standings of these may have changed, and with `all` when a gateway came or went. At once; must not throw. */
  subscribe(listener: (changed: ReadonlySet<DeliverableKey> | "all") => void): () => void;
  /** What is known beforehand of these has changed. */
  touch(keys: ReadonlySet<DeliverableKey>): void;
}

/** One gateway's place in it, for the door that it came through. */
export interface Connection {
  readonly gateway: GatewayIdentity;
  /** Whether this gateway is to have it. */
  selects(deliverable: Deliverable): boolean;
  /** Was heard: a heartbeat, an answer. */
  heard(): void;
  /** Everything up to this revision is on its way. */
  sent(revision: number): void;
  /**
   * Everything up to this revision is there, but for what is refused among the remarks. Remarks are kept until another version of what
   * they are about is acknowledged, or new remarks about it come. `problem`: the gateway failed without naming an object: nothing up
   * to this revision counts as applied, until it is acknowledged again without one.
   */
  acknowledged(revision: number, remarks: readonly Remark[], problem?: string): void;
  /** More of what it says, without anything new being acknowledged. */
  remarked(remarks: readonly Remark[]): void;
  /** Twice does nothing. */
  close(): void;
}
