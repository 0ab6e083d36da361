import type { Commit } from "../state/state.ts";
import type { ElbStore } from "./store.ts";

/** Takes a listener away with its rules and all their tags. */
export function removeListener(store: ElbStore, commit: Commit, arn: string): void {
  for (const rule of store.rulesOf(arn)) {
    commit.delete(store.rules, rule.arn);
    commit.delete(store.tags, rule.arn);
  }
  commit.delete(store.listeners, arn);
  commit.delete(store.tags, arn);
}
