import type { ServiceName } from "@gatewright/aws-wire";

/** A call whose signature was right, before it is made. */
export interface Call {
  readonly service: ServiceName;
  readonly operation: string;
  readonly account: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly input: object;
}
