import type { Address, PodPorts } from "../../network/cluster-network.ts";

/** The ports of one pod that are open, each by one of its containers. */
export class OpenPorts {
  readonly #ports: PodPorts;
  readonly #ip: string;
  readonly #open = new Map<number, { readonly address: Address; readonly container: string }>();

  constructor(ports: PodPorts, ip: string) {
    this.#ports = ports;
    this.#ip = ip;
  }

  get(port: number): Address | undefined {
    return this.#open.get(port)?.address;
  }

  open(container: string, port: number, address: Address): void {
    this.#open.set(port, { address, container });
    this.#ports.publish(this.#ip, port, address);
  }

  /** The ports of one container are closed; those of the others stay open. */
  close(container: string): void {
    let some = false;
    for (const [port, open] of this.#open) if (open.container === container) some = this.#open.delete(port);
    if (!some) return;
    this.#ports.withdraw(this.#ip);
    for (const [port, { address }] of this.#open) this.#ports.publish(this.#ip, port, address);
  }

  closeAll(): void {
    this.#open.clear();
    this.#ports.withdraw(this.#ip);
  }
}
