export type { Catalogue, Change } from "./model/catalogue.ts";
export type { Deliverable, DeliverableKey, SourceRef } from "./model/deliverable.ts";
