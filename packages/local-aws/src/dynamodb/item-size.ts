import type { Item, TableRecord, Value } from "./records.ts";
import type { DynamoStore } from "./store.ts";
import type { TableSize } from "./table-shape.ts";

/** How many items a table has and what they take. AWS counts every six hours; here it is always so. */
export function itemsSize(store: DynamoStore, table: TableRecord): TableSize {
  let [items, bytes] = [0, 0];
  for (const [, item] of store.items.scan(`${table.id}|`)) {
    items++;
    bytes += itemSize(item);
  }
  return { items, bytes };
}

/** Bytes that an item counts for, as DynamoDB counts them, about. */
export function itemSize(item: Item): number {
  return item.reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueSize(value), 0);
}

function valueSize(value: Value): number {
  if ("S" in value) return Buffer.byteLength(value.S);
  if ("N" in value) return numberSize(value.N);
  if ("B" in value) return Buffer.byteLength(value.B, "base64");
  if ("SS" in value) return value.SS.reduce((sum, each) => sum + Buffer.byteLength(each), 0);
  if ("NS" in value) return value.NS.reduce((sum, each) => sum + numberSize(each), 0);
  if ("BS" in value) return value.BS.reduce((sum, each) => sum + Buffer.byteLength(each, "base64"), 0);
  if ("M" in value) return 3 + value.M.length + itemSize(value.M);
  if ("L" in value) return 3 + value.L.reduce((sum, each) => sum + 1 + valueSize(each), 0);
  return 1;
}

function numberSize(text: string): number {
  return 1 + Math.ceil(text.replaceAll(/\D/g, "").length / 2);
}
