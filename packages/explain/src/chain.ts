import { worse } from "./answer.ts";
import type { Answer, Link, NextStep, State } from "./answer.ts";

/** A link with what it stands on. */
export interface Cause extends Omit<Link, "level"> {
  readonly on: readonly Cause[];
}

/** The chain of an answer: links from the top down, how it is in all, and where the deepest cause is. Pure. */
export function chainOf(root: Cause): Pick<Answer, "links" | "state" | "cause" | "next"> {
  const nodes = flatten(root, 0);
  const links = nodes.map(linkOf);
  const state = stateOf(root);
  const deepest = state === "ok" ? undefined : deepestOf(root);
  const cause = deepest && nodes.findIndex(({ node }) => node === deepest);
  return { links, state, ...(cause !== undefined && { cause }), next: deepest === undefined ? [] : stepsOf(deepest) };
}

interface Placed {
  readonly node: Cause;
  readonly level: number;
}

function linkOf({ node, level }: Placed): Link {
  const { title, state, reason, message, since, subject, next } = node;
  const optional = { ...(since !== undefined && { since }), ...(subject !== undefined && { subject }) };
  return { title, level, state, reason, message, ...optional, next };
}

function flatten(node: Cause, level: number): readonly Placed[] {
  return [{ node, level }, ...node.on.flatMap((each) => flatten(each, level + 1))];
}

/** What a link says of itself is believed though parts of what it stands on cannot be read: whoever wrote it could. */
function stateOf(node: Cause): State {
  return node.on.reduce<State>((state, each) => {
    const below = stateOf(each);
    return below === "unknown" ? state : worse(state, below);
  }, node.state);
}

/** Down to where nothing beneath is as bad. Among equals it is the first. */
function deepestOf(node: Cause): Cause {
  const state = stateOf(node);
  const below = node.on.find((each) => stateOf(each) === state);
  return below === undefined ? node : deepestOf(below);
}

function stepsOf(node: Cause): readonly NextStep[] {
  const unread = node.on.filter(({ state }) => state === "unknown").flatMap(({ next }) => next);
  return [...node.next, ...unread];
}
