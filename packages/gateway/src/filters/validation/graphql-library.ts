import { createRequire } from "node:module";
import type * as GraphQL from "graphql";

const require = createRequire(import.meta.url);
let loaded: typeof GraphQL | undefined;

/** The parser and validator of GraphQL, loaded for the first route that needs it: a start must not wait for it. */
export function graphqlLibrary(): typeof GraphQL {
  loaded ??= require("graphql") as typeof GraphQL;
  return loaded;
}
