export * as gatewayApi from "./generated/avapigw/gateway/v1alpha1/configuration_pb.js";
export * as operatorApi from "./generated/avapigw/operator/v1alpha1/config_pb.js";
export { grpcMethod, grpcService } from "./grpc-service.ts";
