/**
 * One request. In all its strings `{{ns}}` is the namespace of the case, `{{group}}` an API group of its own, `{{webhook}}`
 * the address of a webhook server of the test, `{{ca}}` the authority that vouches for it, and `{{name}}` what an earlier
 * step saved under that name.
 */
export interface Step {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Text is sent as it is, everything else as JSON. */
  readonly body?: unknown;
  readonly type?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Who asks. Default: the admin. */
  readonly by?: "admin" | "alice" | "nobody";
  /** Whom the caller impersonates. */
  readonly as?: string;
  /** Values of the answer for later steps: name -> path with dots. */
  readonly save?: Readonly<Record<string, string>>;
  /**
   * Asks again until the answer is so, for what takes a while: its last answer counts. `is` omitted means that something is
   * there, undefined that nothing is.
   */
  readonly until?: { readonly status?: number; readonly at?: string; readonly is?: unknown };
  /** A watch: collects that many events while the next steps run, or fewer when the server ends it. */
  readonly events?: number;
  /** Only prepares: its answer is not compared. */
  readonly quiet?: true;
}

/** A short script of requests whose answers must be the same on both servers. Independent of all other cases. */
export interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Cases about one thing, and custom resources that exist before any of them runs. */
export interface Topic {
  readonly crds?: readonly object[];
  readonly cases: readonly Case[];
}
