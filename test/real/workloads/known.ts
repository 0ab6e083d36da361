/** A difference that is wanted. */
export interface Known {
  /** What the line of a difference holds. */
  readonly line: RegExp;
  /** Stories in which it may show. Default: all. */
  readonly story?: string;
  /** It hangs on a race of theirs: not every run shows it. */
  readonly sometimes?: true;
  readonly why: string;
}

/** Where our controllers differ from kube-controller-manager. */
export const KNOWN: readonly Known[] = [
  {
    line: /^event .*: nothing there, told here$/,
    story: "the history is kept short",
    why: "after ten similar events of an object in ten minutes kube-controller-manager tells only the latest; we tell 25",
  },
  {
    line: /conditions\.Progressing\.message: .*<hash 1>.* successfully progressed\. there, .*<hash 2>/,
    story: "all pods are replaced at once by Recreate",
    sometimes: true,
    why: "when its word that the new ReplicaSet was made meets a conflict, kube-controller-manager keeps the old one's name",
  },
];
