export { compareKeys } from "./key-order.ts";
export { OrderedMap } from "./ordered-map.ts";
