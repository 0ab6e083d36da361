/**
 * Something else that a spec points to. `output`: what another object of this room tells of its resource, once that is ready.
 * `secret`: a key of a Secret.
 */
export type Reference =
  | {
      readonly to: "output";
      /** Where the spec has it: `deadLetterQueue.queueRef`. */
      readonly path: string;
      readonly kind: string;
      readonly name: string;
      readonly output: string;
    }
  | {
      readonly to: "secret";
      readonly path: string;
      readonly name: string;
      readonly key: string;
      /** For what is not text: the value is in base64. Default: text; what is none is missing. */
      readonly as?: "base64";
    };

/** What the references of a spec lead to. Before an object is compared all of them are there. */
export interface Given {
  /** The value by the path of the reference. */
  value(path: string): string | undefined;
  /** Of a Secret: what changes when its content does. */
  version(path: string): string | undefined;
}
