import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createApiServer, createCertificateAuthority, parseTokenFile } from "@gatewright/apiserver";
import { systemClock, systemRandom } from "@gatewright/ports";
import { Flags } from "./flags.ts";
import { logLine } from "./log-line.ts";
import { untilSignal } from "./until-signal.ts";

const HELP = `Usage: kube-apiserver [FLAGS]

The embedded server behind the flags of kube-apiserver that envtest uses. Others are taken and ignored.

  --secure-port PORT                  where to serve HTTPS (6443)
  --bind-address ADDRESS              (127.0.0.1)
  --cert-dir FOLDER                   holds apiserver.crt and apiserver.key
  --tls-cert-file, --tls-private-key-file
  --client-ca-file FILE               authority of client certificates
  --token-auth-file FILE              token,user,uid,"group1,group2" a line
  --service-account-issuer URL
  --service-account-key-file FILE, --service-account-signing-key-file FILE
  --service-cluster-ip-range CIDR
  --disable-admission-plugins NAMES
`;

/** Stands where envtest expects kube-apiserver. Everything is kept in memory: envtest throws its data away. */
export async function envtestApiserver(args: readonly string[]): Promise<number> {
  const flags = new Flags(args);
  if (flags.has("help")) {
    process.stdout.write(HELP);
    return 0;
  }
  const read = (name: string): string | undefined => {
    const path = flags.get(name);
    return path === undefined ? undefined : readFileSync(path, "utf8");
  };
  const port = Number(flags.get("secure-port") ?? 6443);
  const host = flags.get("bind-address") ?? "127.0.0.1";
  const serving = await servingPair(flags);
  const clientCa = read("client-ca-file");
  const keys = [read("service-account-signing-key-file"), read("service-account-key-file")].filter(
    (key) => key !== undefined,
  );
  const tokens = read("token-auth-file");
  const issuer = flags.get("service-account-issuer");
  const cidr = flags.list("service-cluster-ip-range")[0];
  const server = await createApiServer({
    log: logLine,
    access: "required",
    ...(tokens !== undefined && { tokens: parseTokenFile(tokens) }),
    serviceAccounts: { ...(issuer !== undefined && { issuer }), ...(keys.length > 0 && { keys }) },
    ...(cidr !== undefined && { serviceCidr: cidr }),
    caBundle: serving.ca,
    advertise: { address: host, port },
    disabledAdmission: flags.list("disable-admission-plugins"),
  });
  const listener = await server.listen({
    host,
    port,
    tls: { cert: serving.cert, key: serving.key, ...(clientCa !== undefined && { clientCa }) },
  });
  await untilSignal();
  await listener.close();
  await server.close();
  return 0;
}

/** The pair that envtest wrote, or one that is made now. */
async function servingPair(flags: Flags): Promise<{ cert: string; key: string; ca: string }> {
  const folder = flags.get("cert-dir") ?? ".";
  const certFile = flags.get("tls-cert-file") ?? join(folder, "apiserver.crt");
  const keyFile = flags.get("tls-private-key-file") ?? join(folder, "apiserver.key");
  if (existsSync(certFile) && existsSync(keyFile)) {
    const cert = readFileSync(certFile, "utf8");
    return { cert, key: readFileSync(keyFile, "utf8"), ca: cert };
  }
  const authority = await createCertificateAuthority({ clock: systemClock, random: systemRandom });
  const { certificate, key } = await authority.issueServing();
  return { cert: certificate, key, ca: authority.certificate };
}
