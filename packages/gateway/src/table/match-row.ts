import type { Fields } from "../exchange/fields.ts";
import type { CompiledRoute } from "../routes/compiled-route.ts";

/** How one text is compared. `regex` is RE2; whether it has to match the whole text is said where it is used. */
export type TextMatch =
  | { readonly type: "exact"; readonly value: string }
  | { readonly type: "prefix"; readonly value: string }
  | { readonly type: "regex"; readonly value: string };

/** A header or metadata field, by its lower-case name, or a query parameter, by its exact name. Its first value counts. */
export type FieldMatch =
  | { readonly name: string; readonly test: TextMatch }
  | { readonly name: string; readonly test: { readonly type: "present" } | { readonly type: "absent" } };

/** How the path is compared. */
export type PathMatch =
  /** The whole path, byte by byte. */
  | { readonly type: "exact"; readonly value: string }
  /** By elements: `/abc` is the prefix of `/abc`, `/abc/` and `/abc/def`, not of `/abcd`. */
  | { readonly type: "prefix"; readonly value: string }
  /** RE2, of the whole path. */
  | { readonly type: "regex"; readonly value: string }
  /**
   * Elements, at least one of which is `{name}` and stands for any one element, or `{name:pattern}` for one that RE2 matches as a whole. A
   * name of `*` is not told. `prefix`: more elements may follow.
   */
  | { readonly type: "template"; readonly value: string; readonly prefix: boolean };

/** Which operations of GraphQL a row is for. */
export interface OperationMatch {
  readonly type?: "query" | "mutation" | "subscription";
  readonly name?: TextMatch;
}

/** One way to a route. Several rows of one route are alternatives. Everything in a row has to hold. */
export interface MatchRow {
  readonly route: CompiledRoute;
  /** Lower-case name, `*.example.com` (one label or more), or undefined for any. Ports are not looked at. */
  readonly host: string | undefined;
  readonly path: PathMatch;
  /** Undefined: any. GET also answers HEAD. */
  readonly methods: ReadonlySet<string> | undefined;
  readonly headers: readonly FieldMatch[];
  readonly query: readonly FieldMatch[];
  /** Only requests of gRPC, or only others; undefined: both. */
  readonly grpc: boolean | undefined;
  /** Only requests of GraphQL with such an operation. A table says when it has to know the operation to go on. */
  readonly operation?: OperationMatch;
  /** Anything else that has to hold: asked last. */
  readonly also?: (request: { readonly fields: Fields; readonly query: string }) => boolean;
  /** Epoch milliseconds; Infinity when unknown. Older first between equals, then by id of the route, then by place. */
  readonly createdAt: number;
  readonly place: number;
}
