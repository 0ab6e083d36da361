import { any, anyObject, array, map, object } from "./collections.ts";
import { condition, conditions } from "./conditions.ts";
import { embeddedMetadata, labelSelector } from "./metadata-parts.ts";
import { localReference, objectReference, secretKeyRef } from "./references.ts";
import { boolean, integer, number, string } from "./scalars.ts";
import { duration, intOrString, quantity, time } from "./special-scalars.ts";

/** The builders of schemas. What they cannot say, a structural schema cannot say either. */
export const s = {
  string,
  integer,
  number,
  boolean,
  intOrString,
  quantity,
  duration,
  time,
  array,
  map,
  object,
  any,
  anyObject,
  condition,
  conditions,
  labelSelector,
  embeddedMetadata,
  localReference,
  objectReference,
  secretKeyRef,
} as const;
