import type { Operations } from "@gatewright/aws-wire/types/elbv2";
import type { Handlers } from "../service.ts";
import { allAttributes, attribute, changedAttributes, flag, text, whole } from "./attributes.ts";
import type { AttributeRules } from "./attributes.ts";
import type { Ground } from "./ground.ts";
import type { ListenerRecord } from "./records.ts";

const RESPONSE_HEADERS = [
  "strict_transport_security",
  "access_control_allow_origin",
  "access_control_allow_methods",
  "access_control_allow_headers",
  "access_control_allow_credentials",
  "access_control_expose_headers",
  "access_control_max_age",
  "content_security_policy",
  "x_content_type_options",
  "x_frame_options",
];

const REQUEST_HEADERS = [
  "x_amzn_mtls_clientcert_serial_number",
  "x_amzn_mtls_clientcert_issuer",
  "x_amzn_mtls_clientcert_subject",
  "x_amzn_mtls_clientcert_validity",
  "x_amzn_mtls_clientcert_leaf",
  "x_amzn_mtls_clientcert",
  "x_amzn_tls_version",
  "x_amzn_tls_cipher_suite",
];

const HTTP: AttributeRules = new Map([
  ["routing.http.response.server.enabled", flag(true)],
  ...RESPONSE_HEADERS.map((name) => [`routing.http.response.${name}.header_value`, text()] as const),
]);

const HTTPS: AttributeRules = new Map([
  ...HTTP,
  ...REQUEST_HEADERS.map(
    (name) =>
      [
        `routing.http.request.${name}.header_name`,
        text(
          name.replaceAll(
            /(^|_)([a-z])/g,
            (_all, gap: string, letter: string) => `${gap === "" ? "" : "-"}${letter.toUpperCase()}`,
          ),
        ),
      ] as const,
  ),
]);

const TCP: AttributeRules = new Map([["tcp.idle_timeout.seconds", whole(60, 6000, 350)]]);

function rulesFor({ protocol }: ListenerRecord): AttributeRules {
  if (protocol === "HTTPS") return HTTPS;
  return protocol === "HTTP" ? HTTP : TCP;
}

/** An attribute of a listener, or its default. */
export function listenerAttribute(record: ListenerRecord, key: string): string {
  return attribute(rulesFor(record), record.attributes, key);
}

/** Headers that a listener adds to every answer that does not have them. */
export function addedHeaders(record: ListenerRecord): readonly (readonly [name: string, value: string])[] {
  return RESPONSE_HEADERS.flatMap((name) => {
    const value = listenerAttribute(record, `routing.http.response.${name}.header_value`);
    return value === "" ? [] : [[name.replaceAll("_", "-"), value] as const];
  });
}

/** Reads and changes the attributes of listeners. */
export function listenerAttributeOperations({
  store,
}: Ground): Handlers<Pick<Operations, "DescribeListenerAttributes" | "ModifyListenerAttributes">> {
  return {
    DescribeListenerAttributes(input, context) {
      const record = store.listener(context, input.ListenerArn);
      return { Attributes: allAttributes(rulesFor(record), record.attributes) };
    },
    async ModifyListenerAttributes(input, context) {
      const record = store.listener(context, input.ListenerArn);
      const attributes = changedAttributes(rulesFor(record), record.attributes, input.Attributes, "Listener");
      await store.commit((commit) => commit.put(store.listeners, record.arn, { ...record, attributes }));
      return { Attributes: allAttributes(rulesFor(record), attributes) };
    },
  };
}
