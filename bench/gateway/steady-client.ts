import { connect } from "node:net";
import type { Socket } from "node:net";
import { connect as connectSecure } from "node:tls";

/*
 * Sends requests at a steady pace on kept connections and prints how long they took, from the moment that each was due: a proxy
 * that stalls is not spared the requests that come meanwhile.
 */
const [port = "", rate = "", duration = "", kind = ""] = process.argv.slice(2);
const perMs = Number(rate) / 1000;
const REQUEST = `GET /hello/world HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
const CONNECTIONS = 64;

const idle: Socket[] = [];
const due: number[] = [];
const took: number[] = [];
const started = performance.now();
const end = started + Number(duration) * 1000;
let asked = 0;
const dueOf = new WeakMap<Socket, number>();

function next(socket: Socket): void {
  const at = due.shift();
  if (at === undefined) {
    idle.push(socket);
    return;
  }
  dueOf.set(socket, at);
  socket.write(REQUEST);
}

for (let n = 0; n < CONNECTIONS; n++) {
  const socket =
    kind === "tls"
      ? connectSecure({ port: Number(port), host: "127.0.0.1", rejectUnauthorized: false })
      : connect(Number(port), "127.0.0.1");
  socket.setNoDelay(true);
  socket.once(kind === "tls" ? "secureConnect" : "connect", () => next(socket));
  socket.on("data", () => {
    took.push(performance.now() - (dueOf.get(socket) ?? 0));
    next(socket);
  });
  socket.on("error", (error) => {
    console.error(error);
    process.exit(1);
  });
}

const timer = setInterval(() => {
  const now = performance.now();
  for (; asked < (Math.min(now, end) - started) * perMs; asked++) {
    due.push(started + asked / perMs);
    const socket = idle.pop();
    if (socket !== undefined) next(socket);
  }
  if (now < end + 500) return;
  clearInterval(timer);
  took.sort((a, b) => a - b);
  const at = (share: number): number => took[Math.floor(took.length * share)] ?? Number.NaN;
  process.stdout.write(JSON.stringify({ p50Ms: at(0.5), p99Ms: at(0.99) }), () => process.exit(0));
}, 1);
