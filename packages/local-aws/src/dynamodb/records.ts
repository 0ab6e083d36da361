import type { AttributeDefinition, KeySchemaElement, Projection } from "@gatewright/aws-wire/types/dynamodb";

/** Where tables are. */
export interface Place {
  readonly account: string;
  readonly region: string;
}

export type Pairs = readonly (readonly [name: string, value: string])[];

/** A status that lasts until a moment. */
export interface Phase {
  readonly status: string;
  readonly until: number;
}

export interface Throughput {
  readonly read: number;
  readonly write: number;
}

export interface IndexRecord {
  readonly name: string;
  readonly keys: readonly KeySchemaElement[];
  readonly projection: Projection;
}

export interface GlobalIndexRecord extends IndexRecord {
  /** While it is provisioned. */
  readonly throughput?: Throughput;
  readonly onDemand?: Partial<Throughput>;
  readonly warm?: Throughput;
  /** CREATING, UPDATING or DELETING until a moment; an index that was DELETING is gone then. */
  readonly phase?: Phase;
}

export interface TableRecord extends Place {
  readonly name: string;
  readonly id: string;
  readonly createdAt: number;
  readonly definitions: readonly AttributeDefinition[];
  readonly keys: readonly KeySchemaElement[];
  readonly localIndexes: readonly IndexRecord[];
  readonly indexes: readonly GlobalIndexRecord[];
  readonly billing: "PROVISIONED" | "PAY_PER_REQUEST";
  /** Moments at which it became PAY_PER_REQUEST, the last ones. */
  readonly payPerRequest: readonly number[];
  readonly throughput?: Throughput;
  readonly increasedAt?: number;
  /** Moments at which its throughput was made smaller, the last ones. */
  readonly decreases: readonly number[];
  readonly onDemand?: Partial<Throughput>;
  readonly warm?: Throughput;
  readonly stream?: { readonly view: string };
  /** Of the stream that is on, or that was the last. */
  readonly streamLabel?: string;
  /** ARN of the key that it is encrypted with, when that is not DynamoDB's own. */
  readonly key?: string;
  /** ENABLING, UPDATING or DISABLING until a moment, and the key that is told until then. */
  readonly encrypting?: Phase & { readonly told: string };
  /** Moments at which its encryption was changed, the last ones. */
  readonly keyChanges?: readonly number[];
  readonly tableClass?: string;
  readonly classChanges: readonly number[];
  readonly isProtected: boolean;
  readonly timeToLive?: { readonly attribute: string; readonly enabled: boolean; readonly at: number };
  readonly recovery?: { readonly days: number; readonly since: number };
  readonly tags: Pairs;
  /** CREATING, UPDATING or DELETING until a moment; a table that was DELETING is gone then. */
  readonly phase?: Phase;
}

/** A value of an item: its type in front, bytes as base64. */
export type Value =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] }
  | { readonly BS: readonly string[] }
  | { readonly M: Item }
  | { readonly L: readonly Value[] }
  | { readonly NULL: true }
  | { readonly BOOL: boolean };

/** Attributes by name, as pairs: names are users' words. */
export type Item = readonly (readonly [name: string, value: Value])[];
