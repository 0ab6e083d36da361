import {
  addQuantities,
  asApproximateFloat,
  asInteger,
  compareQuantities,
  formatQuantity,
  integerQuantity,
  parseQuantity,
  QuantityError,
  quantitySign,
  subtractQuantities,
} from "../../quantity.ts";
import type { Quantity } from "../../quantity.ts";
import { fn, method } from "../function.ts";
import type { Library } from "../function.ts";
import { CelError } from "../value.ts";
import type { CelOpaque } from "../value.ts";

const type = "kubernetes.Quantity";

class Amount implements CelOpaque {
  readonly kind = "opaque";
  readonly typeName = type;
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    this.quantity = quantity;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof Amount && compareQuantities(this.quantity, other.quantity) === 0;
  }

  toString(): string {
    return formatQuantity(this.quantity);
  }
}

function parse(text: string): Amount {
  try {
    return new Amount(parseQuantity(text));
  } catch (error) {
    if (error instanceof QuantityError) throw new CelError(error.message);
    throw error;
  }
}

function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}

function toInteger({ quantity }: Amount): bigint {
  const value = asInteger(quantity);
  if (value === undefined) throw new CelError("cannot convert value to integer");
  return value;
}

const compare = (a: Amount, b: Amount): number => compareQuantities(a.quantity, b.quantity);
const add = (a: Amount, b: Amount): Amount => new Amount(addQuantities(a.quantity, b.quantity));
const subtract = (a: Amount, b: Amount): Amount => new Amount(subtractQuantities(a.quantity, b.quantity));
const whole = (value: bigint): Amount => new Amount(integerQuantity(value));

/** Resource quantities such as `500m` and `1Gi`. */
export const quantities: Library = [
  ["quantity", [fn("string_to_quantity", `string -> ${type}`, parse)]],
  ["isQuantity", [fn("is_quantity_string", "string -> bool", isQuantity)]],
  ["sign", [fn("quantity_sign", `${type} -> int`, ({ quantity }: Amount) => BigInt(quantitySign(quantity)))]],
  [
    "isGreaterThan",
    [method("quantity_is_greater_than", `${type}, ${type} -> bool`, (a: Amount, b: Amount) => compare(a, b) > 0)],
  ],
  [
    "isLessThan",
    [method("quantity_is_less_than", `${type}, ${type} -> bool`, (a: Amount, b: Amount) => compare(a, b) < 0)],
  ],
  [
    "compareTo",
    [method("quantity_compare_to", `${type}, ${type} -> int`, (a: Amount, b: Amount) => BigInt(compare(a, b)))],
  ],
  [
    "asApproximateFloat",
    [method("quantity_get_float", `${type} -> double`, ({ quantity }: Amount) => asApproximateFloat(quantity))],
  ],
  ["asInteger", [method("quantity_get_int", `${type} -> int`, toInteger)]],
  [
    "isInteger",
    [method("quantity_is_integer", `${type} -> bool`, ({ quantity }: Amount) => asInteger(quantity) !== undefined)],
  ],
  [
    "add",
    [
      method("quantity_add", `${type}, ${type} -> ${type}`, add),
      method("quantity_add_int", `${type}, int -> ${type}`, (a: Amount, b: bigint) => add(a, whole(b))),
    ],
  ],
  [
    "sub",
    [
      method("quantity_sub", `${type}, ${type} -> ${type}`, subtract),
      method("quantity_sub_int", `${type}, int -> ${type}`, (a: Amount, b: bigint) => subtract(a, whole(b))),
    ],
  ],
];
