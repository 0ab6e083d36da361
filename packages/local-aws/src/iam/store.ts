import type { Commit, Records, State } from "../state/state.ts";
import type { PolicyRecord, ProfileRecord, RoleRecord } from "./records.ts";
import { noProfile, noRole } from "./refusals.ts";

/** Something that an account has one of, by a name. */
interface Named {
  readonly account: string;
  readonly name: string;
}

/** All that IAM remembers, of all accounts. Names that differ in case alone are the same name, and so the same key. */
export class IamStore {
  readonly roles: Records<RoleRecord>;
  readonly policies: Records<PolicyRecord>;
  readonly profiles: Records<ProfileRecord>;
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
    this.roles = state.records("iam/roles");
    this.policies = state.records("iam/policies");
    this.profiles = state.records("iam/instance-profiles");
  }

  commit(change: (commit: Commit) => void): Promise<void> {
    return this.#state.commit(change);
  }

  put<T extends Named>(records: Records<T>, record: T): Promise<void> {
    return this.commit((commit) => commit.put(records, keyOf(record), record));
  }

  delete<T extends Named>(records: Records<T>, record: T): Promise<void> {
    return this.commit((commit) => commit.delete(records, keyOf(record)));
  }

  all<T extends Named>(records: Records<T>, account: string): readonly T[] {
    return records.list(`${account}|`).map(([, record]) => record);
  }

  /** The one that has a name, or one that differs from it in case alone. */
  holder<T extends Named>(records: Records<T>, account: string, name: string): T | undefined {
    return records.get(keyOf({ account, name }));
  }

  role(account: string, name: string): RoleRecord {
    const found = this.holder(this.roles, account, name);
    if (found?.name !== name) throw noRole(name);
    return found;
  }

  profile(account: string, name: string): ProfileRecord {
    const found = this.holder(this.profiles, account, name);
    if (found?.name !== name) throw noProfile(name);
    return found;
  }

  /** The account's own policy of an ARN. */
  policy(arn: string): PolicyRecord | undefined {
    const [, account = "", name = ""] = /^arn:aws[a-z-]*:iam::(\d{12}):policy\/(?:.*\/)?([^/]+)$/.exec(arn) ?? [];
    const found = this.holder(this.policies, account, name);
    return found?.arn === arn ? found : undefined;
  }
}

function keyOf({ account, name }: Named): string {
  return `${account}|${name.toLowerCase()}`;
}
