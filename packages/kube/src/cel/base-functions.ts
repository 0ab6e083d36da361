import { functionTable } from "./function.ts";
import type { FunctionTable } from "./function.ts";
import { arithmetic } from "./library/arithmetic.ts";
import { conversions } from "./library/conversions.ts";
import { optionals } from "./library/optionals.ts";
import { relations } from "./library/relations.ts";
import { times } from "./library/times.ts";

/** The functions of every Kubernetes expression, as of 1.36. */
export const baseFunctions: FunctionTable = functionTable(arithmetic, relations, conversions, times, optionals);
