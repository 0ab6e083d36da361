import { connect, createServer } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { routingAction } from "./listener-views.ts";
import { pickGroup } from "./pick-target.ts";
import { quietWatch } from "./quiet.ts";
import { secureServer } from "./secure-server.ts";
import { listenerAttribute } from "../elbv2/listener-attributes.ts";
import { listening } from "./web-front.ts";
import type { Front, FrontOptions } from "./web-front.ts";

/** Opens a port for a TCP or TLS listener of a network load balancer: bytes go both ways and nobody looks at them. */
export async function openStreamFront(options: FrontOptions): Promise<Front> {
  const open = new Set<Socket>();
  const take = (socket: Socket): void => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    join(options, socket);
  };
  const server = options.secure
    ? secureServer({ ...options, alpn: (offered) => offered[0] }, take)
    : createServer({ allowHalfOpen: true }, take);
  await listening(server, options);
  return {
    async close(graceMs) {
      const closed = new Promise((resolve) => server.close(resolve));
      const cancel = options.serving.world.clock.timer(graceMs, () => {
        for (const socket of open) socket.destroy();
      });
      await closed;
      cancel();
    },
  };
}

function join({ view, serving }: FrontOptions, client: Socket): void {
  // A client that breaks off takes its other half along, below.
  client.on("error", () => {});
  const { forwarding, world } = serving;
  const now = view();
  const rule = now?.route({
    method: "",
    host: "",
    path: "",
    query: "",
    headers: [],
    sourceIp: client.remoteAddress ?? "",
  });
  const arn = rule && pickGroup(routingAction(rule)?.ForwardConfig ?? {}, world.random);
  const group = arn === undefined ? undefined : forwarding.store.groups.get(arn);
  const chosen = group && forwarding.choice.choose(group, []);
  const at = group && chosen && forwarding.addressOf(group, chosen.target);
  if (now === undefined || group === undefined || chosen === undefined || at === undefined) {
    chosen?.done();
    client.resetAndDestroy();
    return;
  }
  const seconds = Number(listenerAttribute(now.listener, "tcp.idle_timeout.seconds") || "350");
  const target =
    group.settings.Protocol === "TLS"
      ? connectTls({ ...at, rejectUnauthorized: false })
      : connect({ ...at, allowHalfOpen: true });
  const quiet = quietWatch(world.clock, seconds * 1000, () => client.destroy());
  for (const [from, other] of [
    [client, target],
    [target, client],
  ] as const) {
    from.on("data", quiet.touch);
    from.on("error", () => other.destroy());
    from.once("close", () => other.destroySoon());
    from.pipe(other);
  }
  target.once("close", () => {
    quiet[Symbol.dispose]();
    chosen.done();
  });
}
