import type { Impersonation } from "./impersonation-headers.ts";

/** A PEM or token, or the file that holds it and may be replaced at any time. */
export type Material = { readonly text: string } | { readonly file: string };

/** A program that prints credentials, as kubeconfig files name them. */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
  /** Told when the program is not there. */
  readonly installHint?: string;
  /** What the program is told of the cluster, when it asks for it. */
  readonly cluster?: ExecCluster;
}

/** The cluster in the words of `client.authentication.k8s.io`. */
export interface ExecCluster {
  readonly server: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  readonly "certificate-authority-data"?: string;
  readonly "proxy-url"?: string;
  readonly config?: unknown;
}

/**
 * How to reach an API server, as plain data: it can be sent to a worker, which makes a transport of its own from it. May hold
 * secrets: never log it.
 */
export interface TransportConfig {
  readonly server: string;
  /** Authorities that may vouch for the server, PEM. Default: those of Node. */
  readonly ca?: Material;
  readonly serverName?: string;
  /** Believe any server. */
  readonly insecure?: boolean;
  readonly proxy?: string;
  readonly clientCertificate?: { readonly cert: Material; readonly key: Material };
  readonly token?: Material;
  readonly basic?: { readonly username: string; readonly password: string };
  readonly exec?: ExecPlugin;
  readonly impersonate?: Impersonation;
  /** The namespace that the user works in. */
  readonly namespace: string;
  /** Where this came from, for people: a context and its file, or the pod. */
  readonly origin: string;
}
