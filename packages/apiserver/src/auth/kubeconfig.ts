export interface KubeconfigOptions {
  /** `https://127.0.0.1:6443`, `http://127.0.0.1:3000`. */
  readonly server: string;
  /** PEM of the authority that signed the server's certificate; without it the system's are used. */
  readonly ca?: string;
  readonly token?: string;
  /** PEM of a client certificate and of its key. */
  readonly clientCert?: string;
  readonly clientKey?: string;
  /** What cluster, user and context are called: `gatewright` unless told. */
  readonly name?: string;
}

const base64 = (pem: string): string => Buffer.from(pem).toString("base64");

/** A kubeconfig with one context, as YAML. It holds secrets: write it readable for its owner only. */
export function kubeconfigFor(options: KubeconfigOptions): string {
  const { server, ca, token, clientCert, clientKey } = options;
  const name = JSON.stringify(options.name ?? "gatewright");
  const cluster = {
    server,
    ...(ca !== undefined && { "certificate-authority-data": base64(ca) }),
    // Without this the official JavaScript client refuses plain HTTP; there is no certificate to verify.
    ...(server.startsWith("http:") && { "insecure-skip-tls-verify": true }),
  };
  const user = {
    ...(token !== undefined && { token }),
    ...(clientCert !== undefined && { "client-certificate-data": base64(clientCert) }),
    ...(clientKey !== undefined && { "client-key-data": base64(clientKey) }),
  };
  return [
    "apiVersion: v1",
    "kind: Config",
    "clusters:",
    `- name: ${name}`,
    `  cluster: ${JSON.stringify(cluster)}`,
    "users:",
    `- name: ${name}`,
    `  user: ${JSON.stringify(user)}`,
    "contexts:",
    `- name: ${name}`,
    `  context: ${JSON.stringify({ cluster: JSON.parse(name) as string, user: JSON.parse(name) as string })}`,
    `current-context: ${name}`,
    "",
  ].join("\n");
}
