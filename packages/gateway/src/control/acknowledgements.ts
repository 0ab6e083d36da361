import type { Client } from "@grpc/grpc-js";
import { grpcMethod, operatorApi } from "@gatewright/gateway-wire";

export type Acknowledgement = operatorApi.AcknowledgeConfigurationRequest;

const SERVICE = operatorApi.ConfigurationService;

/** Acknowledgements on a stream of their own. */
export interface AcknowledgementStream {
  tell(acknowledgement: Acknowledgement): void;
  end(): void;
}

/**
 * Acknowledgements one after the other, for operators that take them so. `failed` is told when the operator may not have them all: who
 * follows is to begin anew.
 */
export function acknowledgementStream(client: Client, failed: (error: Error) => void): AcknowledgementStream {
  const { path, requestSerialize, responseDeserialize } = grpcMethod<
    Acknowledgement,
    operatorApi.AcknowledgeConfigurationResponse
  >(SERVICE, SERVICE.method.acknowledgeConfigurations);
  let isOver = false;
  const call = client.makeClientStreamRequest(path, requestSerialize, responseDeserialize, (error) => {
    if (!isOver) failed(error ?? new Error("the operator takes no more acknowledgements"));
    isOver = true;
  });
  return {
    tell: (acknowledgement) => void (isOver || call.write(acknowledgement)),
    end() {
      isOver = true;
      call.cancel();
    },
  };
}
