import { flag } from "./value.ts";
import type { Values } from "./value.ts";

/** What chart `gatewright-crds` takes. */
export const crdValues: Values = {
  applications: flag(true, "whether the kind of Applications is installed"),
  hostnames: flag(true, "whether the kinds of hostnames are"),
  infra: flag(true, "whether the kinds of AWS resources are"),
  routing: flag(true, "whether the kinds of routing are"),
};
