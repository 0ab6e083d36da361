/** Where something really listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Where connections to addresses of the cluster really go: nothing but this machine's loopback is there to carry them. */
export interface ClusterNetwork {
  /** For the IP of a pod, the cluster IP of a Service, or a node's with a node port. Undefined when nothing would answer. */
  resolve(ip: string, port: number): Address | undefined;
}

/** The kubelet's side: which ports of a pod are open, and where. */
export interface PodPorts {
  publish(ip: string, port: number, address: Address): void;
  /** All ports of a pod are closed. */
  withdraw(ip: string): void;
}
