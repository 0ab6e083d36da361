/** A difference that is wanted. */
export interface Known {
  /** What the line of a difference holds. */
  readonly line: RegExp;
  /** Stories in which it may show. Default: all. */
  readonly story?: string;
  readonly why: string;
}

/** Where our controllers differ from kube-controller-manager. */
export const KNOWN: readonly Known[] = [
  {
    line: /^event .*: nothing there, told here$/,
    story: "the history is kept short",
    why: "after ten similar events of an object in ten minutes kube-controller-manager tells only the latest; we tell 25",
  },
];
