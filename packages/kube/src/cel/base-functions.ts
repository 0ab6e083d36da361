import { functionTable } from "./function.ts";
import type { FunctionTable } from "./function.ts";
import { addresses } from "./library/addresses.ts";
import { arithmetic } from "./library/arithmetic.ts";
import { authorization } from "./library/authorization.ts";
import { conversions } from "./library/conversions.ts";
import { formats } from "./library/formats.ts";
import { lists } from "./library/lists.ts";
import { optionals } from "./library/optionals.ts";
import { quantities } from "./library/quantities.ts";
import { relations } from "./library/relations.ts";
import { semvers } from "./library/semvers.ts";
import { strings } from "./library/strings.ts";
import { times } from "./library/times.ts";
import { urls } from "./library/urls.ts";

/** The functions of every Kubernetes expression, as of 1.36. */
export const baseFunctions: FunctionTable = functionTable(
  arithmetic,
  relations,
  conversions,
  times,
  optionals,
  lists,
  strings,
  addresses,
  quantities,
  semvers,
  urls,
  formats,
  authorization,
);
