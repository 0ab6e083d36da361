/**
 * The certificate for a name that a client asked for: one that has the name itself, else one with a wildcard for it (one label
 * deep), else the default. Among equals one whose time is not over, and of these the one that was added first. `candidates` begin with
 * the default.
 */
export function chooseCertificate<T extends { readonly names: readonly string[]; readonly ended?: boolean }>(
  candidates: readonly T[],
  serverName: string | undefined,
): T | undefined {
  const [first] = candidates;
  if (serverName === undefined || serverName === "") return first;
  const name = serverName.toLowerCase().replace(/\.$/, "");
  const dot = name.indexOf(".");
  const wildcard = dot > 0 ? `*${name.slice(dot)}` : undefined;
  const has = (wanted: string | undefined) => (one: T) =>
    wanted !== undefined && one.names.some((own) => own.toLowerCase() === wanted);
  const best = (fits: (one: T) => boolean): T | undefined =>
    candidates.find((one) => fits(one) && one.ended !== true) ?? candidates.find(fits);
  return best(has(name)) ?? best(has(wildcard)) ?? first;
}
