/** Series as promtool writes them: a name, and a value for each minute (`0+10x60`: from 0 on, 10 more each minute, 60 times). */
export type Series = readonly (readonly [series: string, values: string])[];

const LEADS: Series = [
  ['leader_election_master_status{name="gatewright",pod="a"}', "1x90"],
  ['leader_election_master_status{name="gatewright",pod="b"}', "0x90"],
];

const state = (metric: string, of: string): Series => [[`${metric}{state="${of}"}`, "1x90"]];
const resource = (of: string): Series => [[`gatewright_aws_resources{kind="SQSQueue",state="${of}"}`, "1x90"]];

/** A day on which nothing is wrong: everything is there, busy, and as it should be. */
export const HEALTHY: Series = [
  ...LEADS,
  ['controller_runtime_reconcile_total{controller="apiroutes",result="success"}', "0+100x90"],
  ['controller_runtime_reconcile_errors_total{controller="apiroutes"}', "0+1x90"],
  ['workqueue_longest_running_processor_seconds{name="apiroutes"}', "1x90"],
  ['workqueue_queue_duration_seconds_bucket{name="apiroutes",le="0.1"}', "0+100x90"],
  ['workqueue_queue_duration_seconds_bucket{name="apiroutes",le="100"}', "0+100x90"],
  ['workqueue_queue_duration_seconds_bucket{name="apiroutes",le="+Inf"}', "0+100x90"],
  ['rest_client_requests_total{code="200",method="GET",host="api"}', "0+100x90"],
  ['rest_client_requests_total{code="500",method="GET",host="api"}', "0+1x90"],
  ['rest_client_requests_total{code="403",method="GET",host="api"}', "0x90"],
  ['gatewright_informer_silent_seconds{resource="apiroutes"}', "30x90"],
  ['gatewright_write_gate_refusals_total{when="before"}', "1x90"],
  ['controller_runtime_webhook_requests_total{webhook="/v",code="200"}', "0+100x90"],
  ['controller_runtime_webhook_requests_total{webhook="/v",code="500"}', "0x90"],
  ['controller_runtime_webhook_latency_seconds_bucket{webhook="/v",le="0.1"}', "0+100x90"],
  ['controller_runtime_webhook_latency_seconds_bucket{webhook="/v",le="+Inf"}', "0+100x90"],
  ['gatewright_certificate_expiry_timestamp_seconds{certificate="operator"}', "2592000x90"],
  ['gatewright_aws_throttles_total{service="route53",operation="ListResourceRecordSets"}', "3x90"],
  ['gatewright_aws_calls_total{service="route53",operation="ChangeResourceRecordSets",outcome="ok"}', "0+10x90"],
  ['gatewright_aws_calls_total{service="route53",operation="ChangeResourceRecordSets",outcome="throttled"}', "0+1x90"],
  ...state("gatewright_hostnames", "Serving"),
  ['gatewright_hostnames{state="WaitingForGateway"}', "1x5 0x85"],
  ['gatewright_gateway_fill_ratio{gateway="gw-01",limit="rules"}', "0.95x90"],
  ...resource("InSync"),
  ...resource("Creating"),
  ['gatewright_aws_resource_drift_total{kind="SQSQueue"}', "1x90"],
  ["avapigw_operator_gateways_connected", "2x90"],
  ["avapigw_operator_gateways_behind", "0x30 1 0x59"],
  ["avapigw_operator_gateways_with_problems", "0x90"],
  ['avapigw_operator_crds_total{type="apiroute"}', "10x90"],
  ['avapigw_operator_crds_kept_out{type="apiroute"}', "0x20 1x10 0x60"],
  ['avapigw_operator_config_push_total{door="stream"}', "0+100x90"],
  ['avapigw_operator_config_push_errors_total{door="stream"}', "0+1x90"],
  ["avapigw_operator_grpc_reaped_gateways_total", "1x90"],
  ['gatewright_gateway_requests_total{listener="http",method="GET",code="2xx"}', "0+1000x90"],
  ['gatewright_gateway_requests_total{listener="http",method="GET",code="5xx"}', "0+10x90"],
  ['gatewright_gateway_request_duration_seconds_bucket{listener="http",le="0.1"}', "0+1000x90"],
  ['gatewright_gateway_request_duration_seconds_bucket{listener="http",le="+Inf"}', "0+1000x90"],
  ["gatewright_gateway_faults_total", "0x90"],
  ['gatewright_gateway_operator_connected{pod="g"}', "1x90"],
  ["gatewright_gateway_objects_refused", "0x90"],
  ['gatewright_gateway_endpoints_unhealthy{pod="g"}', "0x10 1x10 0x70"],
  ['gatewright_gateway_requests_active{pod="g"}', "5x90"],
  ['nodejs_eventloop_lag_p99_seconds{pod="g"}', "0.02x90"],
];

const buckets = (name: string, labels: string, fast: string, slow: string): Series => [
  [`${name}_bucket{${labels},le="${fast}"}`, "0+1x90"],
  [`${name}_bucket{${labels},le="${slow}"}`, "0+100x90"],
  [`${name}_bucket{${labels},le="+Inf"}`, "0+100x90"],
];

/** For each alert, the least that makes it fire, beside a healthy lease. */
export const FIRING: Readonly<Record<string, Series>> = {
  GatewrightAbsent: [],
  GatewrightNobodyLeads: [
    ['leader_election_master_status{name="gatewright",pod="a"}', "0x90"],
    ['leader_election_master_status{name="gatewright",pod="b"}', "0x90"],
  ],
  GatewrightLeaseFlaps: [
    ['leader_election_master_status{name="gatewright",pod="a"}', "0 1 0 1 0 1 0 1 0 1 1x80"],
    ['leader_election_master_status{name="gatewright",pod="b"}', "1 0 1 0 1 0 1 0 1 0 0x80"],
  ],
  GatewrightReconcileErrors: [
    ...LEADS,
    ['controller_runtime_reconcile_total{controller="apiroutes",result="success"}', "0+80x90"],
    ['controller_runtime_reconcile_total{controller="apiroutes",result="error"}', "0+20x90"],
    ['controller_runtime_reconcile_errors_total{controller="apiroutes"}', "0+20x90"],
  ],
  GatewrightReconcilesStuck: [...LEADS, ['workqueue_longest_running_processor_seconds{name="apiroutes"}', "290x90"]],
  GatewrightQueueSlow: [...LEADS, ...buckets("workqueue_queue_duration_seconds", 'name="apiroutes"', "10", "100")],
  GatewrightApiServerFails: [
    ...LEADS,
    ['rest_client_requests_total{code="200",method="GET",host="api"}', "0+50x90"],
    ['rest_client_requests_total{code="<error>",method="GET",host="api"}', "0+50x90"],
  ],
  GatewrightForbidden: [...LEADS, ['rest_client_requests_total{code="403",method="PATCH",host="api"}', "0+1x90"]],
  GatewrightWatchSilent: [...LEADS, ['gatewright_informer_silent_seconds{resource="apiroutes"}', "0+60x90"]],
  GatewrightWritesRefused: [...LEADS, ['gatewright_write_gate_refusals_total{when="before"}', "0+2x90"]],
  GatewrightWebhookFails: [
    ...LEADS,
    ['controller_runtime_webhook_requests_total{webhook="/v",code="200"}', "0+90x90"],
    ['controller_runtime_webhook_requests_total{webhook="/v",code="500"}', "0+10x90"],
  ],
  GatewrightWebhookSlow: [
    ...LEADS,
    ...buckets("controller_runtime_webhook_latency_seconds", 'webhook="/v"', "0.1", "5"),
  ],
  GatewrightCertificateExpires: [
    ...LEADS,
    ['gatewright_certificate_expiry_timestamp_seconds{certificate="operator"}', "86400x90"],
  ],
  GatewrightThrottled: [...LEADS, ['gatewright_aws_throttles_total{service="acm",operation="x"}', "0+30x90"]],
  GatewrightCertificatesStuck: [...LEADS, ...state("gatewright_hostnames", "ValidationSlow")],
  GatewrightCertificatesLost: [...LEADS, ...state("gatewright_hostnames", "CertificateMissing")],
  GatewrightRenewalsFail: [...LEADS, ...state("gatewright_hostnames", "RenewalFails")],
  GatewrightRecordsRefused: [...LEADS, ...state("gatewright_hostnames", "RecordConflict")],
  GatewrightRoute53ChangesFail: [
    ...LEADS,
    ['gatewright_aws_calls_total{service="route53",operation="ChangeResourceRecordSets",outcome="ok"}', "0+10x90"],
    ['gatewright_aws_calls_total{service="route53",operation="ChangeResourceRecordSets",outcome="retry"}', "0+20x90"],
  ],
  GatewrightListenersNotAttached: [...LEADS, ...state("gatewright_hostnames", "GatewayNotProgrammed")],
  GatewrightGatewaysWaiting: [...LEADS, ...state("gatewright_hostnames", "WaitingForGateway")],
  GatewrightAwsCallsFail: [...LEADS, ...state("gatewright_hostnames", "AwsCallFailed")],
  GatewrightDeletionsHeld: [...LEADS, ...state("gatewright_hostnames", "DeletionHeld")],
  GatewrightGatewayNearlyFull: [
    ...LEADS,
    ['gatewright_gateway_fill_ratio{gateway="gw-01",limit="target_groups"}', "0.99x90"],
  ],
  GatewrightResourcesFail: [...LEADS, ...resource("Denied")],
  GatewrightResourcesMissing: [...LEADS, ...resource("Missing")],
  GatewrightProvidersFail: [...LEADS, ...resource("ProviderNotReady")],
  GatewrightResourcesThrottled: [...LEADS, ...resource("Throttled")],
  GatewrightResourcesDrift: [...LEADS, ['gatewright_aws_resource_drift_total{kind="SQSQueue"}', "0+1x90"]],
  GatewrightDecisionsWait: [...LEADS, ...resource("ReplacementNeeded")],
  GatewrightGatewaysLag: [...LEADS, ['avapigw_operator_gateways_behind{pod="a"}', "1x90"]],
  GatewrightGatewaysRefuse: [...LEADS, ['avapigw_operator_gateways_with_problems{pod="a"}', "1x90"]],
  GatewrightNoGateways: [
    ...LEADS,
    ['avapigw_operator_gateways_connected{pod="a"}', "0x90"],
    ['avapigw_operator_crds_total{pod="a",type="apiroute"}', "3x90"],
  ],
  GatewrightPushesFail: [
    ...LEADS,
    ['avapigw_operator_config_push_total{door="stream"}', "0+10x90"],
    ['avapigw_operator_config_push_errors_total{door="stream"}', "0+5x90"],
  ],
  GatewrightGatewaysLost: [...LEADS, ["avapigw_operator_grpc_reaped_gateways_total", "0+1x90"]],
  GatewrightRoutesKeptOut: [...LEADS, ['avapigw_operator_crds_kept_out{type="apiroute"}', "1x90"]],
  GatewrightGatewayErrors: [
    ...LEADS,
    ['gatewright_gateway_requests_total{listener="http",method="GET",code="2xx"}', "0+90x90"],
    ['gatewright_gateway_requests_total{listener="http",method="GET",code="5xx"}', "0+10x90"],
  ],
  GatewrightGatewaySlow: [
    ...LEADS,
    ...buckets("gatewright_gateway_request_duration_seconds", 'listener="http"', "1", "10"),
  ],
  GatewrightGatewayFaults: [...LEADS, ["gatewright_gateway_faults_total", "0+1x90"]],
  GatewrightGatewayAlone: [...LEADS, ['gatewright_gateway_operator_connected{pod="g"}', "0x90"]],
  GatewrightGatewayObjectsRefused: [...LEADS, ["gatewright_gateway_objects_refused", "1x90"]],
  GatewrightEndpointsUnhealthy: [...LEADS, ['gatewright_gateway_endpoints_unhealthy{pod="g"}', "1x90"]],
  GatewrightGatewayBusy: [
    ...LEADS,
    ['gatewright_gateway_requests_active{pod="g"}', "5x90"],
    ['nodejs_eventloop_lag_p99_seconds{pod="g"}', "0.5x90"],
  ],
};
