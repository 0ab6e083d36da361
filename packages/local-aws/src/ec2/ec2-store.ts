import type { Commit, Records, State } from "../state/state.ts";
import { foundingOf } from "./founding.ts";
import type { Founding } from "./founding.ts";
import type {
  AddressRecord,
  GroupRecord,
  InstanceRecord,
  KeyRecord,
  SubnetRecord,
  Tags,
  TokenRecord,
  VolumeRecord,
  VpcRecord,
} from "./records.ts";

/** An account in a region. */
export interface Place {
  readonly account: string;
  readonly region: string;
}

/** The records of one kind in one place, by id. */
class Shelf<T> {
  readonly #records: Records<T>;

  constructor(records: Records<T>) {
    this.#records = records;
  }

  get(place: Place, id: string): T | undefined {
    return id.includes("/") ? undefined : this.#records.get(`${placeKey(place)}/${id}`);
  }

  list(place: Place): readonly T[] {
    return this.#records.list(`${placeKey(place)}/`).map(([, record]) => record);
  }

  ids(place: Place): readonly (readonly [id: string, record: T])[] {
    const prefix = `${placeKey(place)}/`;
    return this.#records.list(prefix).map(([key, record]) => [key.slice(prefix.length), record] as const);
  }

  put(commit: Commit, place: Place, id: string, record: T): void {
    commit.put(this.#records, `${placeKey(place)}/${id}`, record);
  }

  delete(commit: Commit, place: Place, id: string): void {
    commit.delete(this.#records, `${placeKey(place)}/${id}`);
  }
}

/** What EC2 remembers. */
export class Ec2Store {
  readonly vpcs: Shelf<VpcRecord>;
  readonly subnets: Shelf<SubnetRecord>;
  readonly groups: Shelf<GroupRecord>;
  readonly instances: Shelf<InstanceRecord>;
  readonly volumes: Shelf<VolumeRecord>;
  /** By name. */
  readonly keys: Shelf<KeyRecord>;
  readonly addresses: Shelf<AddressRecord>;
  readonly tokens: Shelf<TokenRecord>;
  /** By the id of what has them. */
  readonly tags: Shelf<Tags>;
  readonly #founded: Records<true>;
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
    this.vpcs = new Shelf(state.records("ec2/vpcs"));
    this.subnets = new Shelf(state.records("ec2/subnets"));
    this.groups = new Shelf(state.records("ec2/groups"));
    this.instances = new Shelf(state.records("ec2/instances"));
    this.volumes = new Shelf(state.records("ec2/volumes"));
    this.keys = new Shelf(state.records("ec2/keys"));
    this.addresses = new Shelf(state.records("ec2/addresses"));
    this.tokens = new Shelf(state.records("ec2/tokens"));
    this.tags = new Shelf(state.records("ec2/tags"));
    this.#founded = state.records("ec2/founded");
  }

  commit(change: (commit: Commit) => void): Promise<void> {
    return this.#state.commit(change);
  }

  /** What a place has to begin with, as long as nothing was done there; undefined from then on. */
  unfounded(place: Place): Founding | undefined {
    return this.#founded.get(placeKey(place)) === undefined ? foundingOf(place) : undefined;
  }

  /** Gives a place its default VPC on the first call there. */
  async found(place: Place): Promise<void> {
    const founding = this.unfounded(place);
    if (founding === undefined) return;
    const { vpc, subnets, group } = founding;
    await this.#state.commit((commit) => {
      commit.put(this.#founded, placeKey(place), true);
      this.vpcs.put(commit, place, vpc.id, vpc);
      for (const subnet of subnets) this.subnets.put(commit, place, subnet.id, subnet);
      this.groups.put(commit, place, group.id, group);
    }, "always");
  }
}

function placeKey({ account, region }: Place): string {
  return `${account}/${region}`;
}
