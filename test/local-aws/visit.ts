import { Resolver } from "node:dns/promises";
import { request } from "node:https";

export interface Visited {
  readonly address: string;
  readonly status: number;
  readonly body: string;
}

/** Visits a host as a browser would: asks the given DNS for it, trusts the given authority and no other. */
export async function visit(
  host: string,
  port: number,
  world: { readonly dns: { readonly host: string; readonly port: number }; readonly ca: string },
): Promise<Visited> {
  const resolver = new Resolver({ tries: 2, timeout: 10_000 });
  resolver.setServers([`${world.dns.host}:${world.dns.port}`]);
  const [address = ""] = await resolver.resolve4(host);
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: address, port, servername: host, headers: { host }, ca: world.ca, agent: false, path: "/hello" },
      (answer) => {
        let body = "";
        answer.setEncoding("utf8").on("data", (text: string) => (body += text));
        answer.once("error", reject);
        answer.once("end", () => resolve({ address, status: answer.statusCode ?? 0, body }));
      },
    );
    asked.once("error", reject);
    asked.end();
  });
}
