import { codecOf, loadModel, signRequest } from "@gatewright/aws-wire";
import type { AwsCredentials, ServiceName, WireRequest, WireResponse } from "@gatewright/aws-wire";
import type { Clock } from "@gatewright/ports";
import type { LocalAws } from "../http/local-aws.ts";

export interface Told {
  readonly status: number;
  /** `OK`, or the code of the error. */
  readonly code: string;
  readonly message: string;
  readonly output: Readonly<Record<string, unknown>>;
}

/** A client in this process, which signs as real ones do. */
export class SampleClient {
  readonly #aws: Pick<LocalAws, "handle">;
  readonly #clock: Clock;
  readonly #credentials: AwsCredentials;

  constructor(
    aws: Pick<LocalAws, "handle">,
    clock: Clock,
    credentials: AwsCredentials = { accessKeyId: "test", secretAccessKey: "test" },
  ) {
    this.#aws = aws;
    this.#clock = clock;
    this.#credentials = credentials;
  }

  async call(name: ServiceName, operation: string, input: object = {}, region = "eu-west-1"): Promise<Told> {
    const model = await loadModel(name);
    const encoded = codecOf(model).encodeRequest(model, operation, input);
    return this.read(name, operation, await this.send(name, encoded, region));
  }

  /** Signs and sends a request as it is. */
  send(name: ServiceName, request: WireRequest, region = "eu-west-1"): Promise<WireResponse> {
    const service = name === "elbv2" ? "elasticloadbalancing" : name;
    const base = { ...request, headers: { host: "localhost:4566", ...request.headers } };
    const headers = signRequest({ ...base, credentials: this.#credentials, region, service, now: this.#clock.now() });
    return this.#aws.handle({ ...request, headers }, new AbortController().signal);
  }

  async read(name: ServiceName, operation: string, response: WireResponse): Promise<Told> {
    const model = await loadModel(name);
    if (response.status < 300) {
      const output = codecOf(model).decodeResponse(model, operation, response);
      return { status: response.status, code: "OK", message: "", output: output as Told["output"] };
    }
    const { code, status, message } = codecOf(model).decodeError(model, response);
    return { status, code, message, output: {} };
  }
}
