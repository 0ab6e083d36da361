/** What can be done through a proxy, as discovery tells it. */
export const PROXY_VERBS: readonly string[] = ["create", "delete", "get", "patch", "update"];
