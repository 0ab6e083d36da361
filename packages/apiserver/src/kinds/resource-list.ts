import { formatQuantity, getOwn, integerQuantity, quantityOf, roundedUp, setOwn } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import { struct } from "../resources/object-fields.ts";

/** Amounts of resources finer than a thousandth are rounded up. The texts are canonical already. */
export function roundResourceList(list: JsonObject | undefined): void {
  if (!list) return;
  for (const [name, value] of Object.entries(list)) {
    const quantity = quantityOf(value);
    if (quantity === undefined || quantity.scale >= -3) continue;
    const millis = { ...integerQuantity(roundedUp(quantity, -3)), scale: -3 };
    setOwn(list, name, formatQuantity(millis));
  }
}

/** Rounds the limits and requests of a container, a pod or a claim. */
export function roundResources(resources: JsonObject | undefined): void {
  roundResourceList(struct(resources, "limits"));
  roundResourceList(struct(resources, "requests"));
}

/** Adds to a list what is missing in it. */
export function fillResourceList(list: JsonObject, from: JsonObject | undefined): void {
  for (const [name, value] of Object.entries(from ?? {})) {
    if (getOwn(list, name) === undefined) setOwn(list, name, value);
  }
}
