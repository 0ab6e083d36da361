/** What lets its holder act as somebody else in the cluster, and whole releases with all that is secret in them. */
const POWERS = /^kubernetes\.io\/service-account-token$|^bootstrap\.kubernetes\.io\/|^helm\.sh\//;
/** What Kubernetes gives a form of its own: certificates, passwords, keys of registries. None of them are keys of AWS. */
const FORMS = /^kubernetes\.io\//;

/** Whether Secrets of a type are nobody's to have sent to AWS, whatever names them: who makes objects need not be able to read Secrets. */
export function isKeptFromAll(type: string | undefined): boolean {
  return POWERS.test(type ?? "");
}

/** Whether a provider may not take keys from Secrets of a type: it is no way to have sent somewhere what others keep in them. */
export function isKeptFromProviders(type: string | undefined): boolean {
  return isKeptFromAll(type) || FORMS.test(type ?? "");
}
