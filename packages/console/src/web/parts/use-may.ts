import { useEffect, useState } from "preact/hooks";
import type { ShownKind } from "../model/kube.ts";
import { ask } from "../state/ask.ts";

const REVIEW = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

/**
 * Whether the user may do something, as the API server says; undefined while that is not known. Only for what buttons look like: what
 * may not be done is refused by the API server, whatever a button says.
 */
export function useMay(
  verb: string,
  kind: ShownKind,
  namespace: string | undefined,
  name?: string,
): boolean | undefined {
  const [allowed, setAllowed] = useState<boolean | undefined>(undefined);
  useEffect(() => {
    const gone = new AbortController();
    const resourceAttributes = {
      verb,
      group: kind.group,
      version: kind.version,
      resource: kind.plural,
      ...(namespace !== undefined && { namespace }),
      ...(name !== undefined && { name }),
    };
    const body = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes },
    };
    ask<{ readonly status?: { readonly allowed?: boolean } }>(REVIEW, {
      method: "POST",
      body,
      signal: gone.signal,
    }).then(
      ({ status }) => setAllowed(status?.allowed === true),
      () => setAllowed(undefined),
    );
    return () => gone.abort();
  }, [verb, kind.id, namespace, name]);
  return allowed;
}
