import type { CaseAnswer, CaseRequest, Manifest } from "./routing-case.ts";

/** Something that serves manifests: our gateway from files, a gateway behind the operator, another data plane. */
export interface World {
  /** For the names of tests. */
  readonly name: string;
  /** Makes these objects, with the addresses of real backends in them, all there is. Done when requests meet them. */
  apply(objects: readonly Manifest[], signal: AbortSignal): Promise<void>;
  request(request: CaseRequest, signal: AbortSignal): Promise<CaseAnswer>;
  close(): Promise<void>;
}
